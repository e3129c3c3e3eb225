#!/bin/sh
# a*b+c is two roundings: no object that computes on fields holds a fused multiply-add. The flag alone is not
# enough, as gcc 12 fuses vectorised complex products in spite of it.
set -u
BUILD=$(cd "${BUILD:-build}" && pwd)
: "${CC:=cc}" "${OBJDUMP:=objdump}"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

command -v "${OBJDUMP%% *}" > /dev/null || {
    echo "skip contraction: objdump is missing"
    exit 0
}

# check OBJECT...: the ones with a fused instruction (x86: vfmadd and its kind; ARM: fmadd, fmla).
check()
{
    for object; do
        $OBJDUMP -d "$object" |
            grep -Eq '[[:space:]](vfn?m(add|sub)|fn?madd|fn?msub|fml[as])[a-z0-9]*[[:space:]]' && echo "$object"
    done
}

cat > "$work/planted.c" << 'END'
double fused(double a, double b, double c);
double fused(double a, double b, double c) { return a * b + c; }
END
sed 's/fused/plain/' "$work/planted.c" > "$work/plain.c"
if $CC -O2 -mfma -ffp-contract=fast -c "$work/planted.c" -o "$work/planted.o" 2> /dev/null &&
    $CC -O2 -mfma -ffp-contract=off -c "$work/plain.c" -o "$work/plain.o"; then
    found=$(check "$work/planted.o" "$work/plain.o")
    [ "$found" = "$work/planted.o" ] && echo "ok contraction self-test" ||
        echo "not ok contraction self-test: '$found'"
else
    echo "skip contraction self-test: $CC has no -mfma"
fi

set -- "$BUILD"/core/program/*.o "$BUILD"/core/lattice/half*.o "$BUILD"/core/field/*.o
[ -e "$1" ] || {
    echo "not ok contraction: no objects in $BUILD/core/program"
    exit 1
}
found=$(check "$@" | sed "s|$BUILD/||")
[ -z "$found" ] && echo "ok contraction" || echo "not ok contraction: fused multiply-add in" $found
