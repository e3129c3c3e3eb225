#!/bin/sh
# Install what a group of targets needs and this machine lacks: by apt on Debian and its kind; elsewhere say
# what to install. Usage: deps.sh GROUP... (autoconf, build, check, tsan, valgrind, lint)
set -u
cc=${CC:-cc}
packages=''

need() # PACKAGE TEST-COMMAND...: the package is missing unless the command succeeds
{
    package=$1
    shift
    "$@" >/dev/null 2>&1 || packages="$packages $package"
}

has() { command -v "$1"; }
header() { printf '#include <%s>\n' "$1" | $cc ${2-} -E -x c -; }
archer() { test -e "$(clang -print-file-name=libarcher.so)" || ls /usr/lib/llvm-*/lib/libarcher.so; }
thread_sanitizer() { echo 'int main(void) { return 0; }' | clang -fsanitize=thread -x c - -o /dev/null; }

for group; do
    case $group in
    autoconf)
        need autoconf has autoconf
        ;;
    build)
        need gcc has "${cc%% *}"
        need libc6-dev header stdio.h
        need pkg-config has pkg-config
        need libhwloc-dev header hwloc.h
        need zlib1g-dev header zlib.h
        case $cc in *clang*) need libomp-dev header omp.h -fopenmp ;; esac
        ;;
    check)
        need check header check.h
        need pkg-config has pkg-config
        need g++ has g++
        need binutils has objdump
        ;;
    tsan)
        need clang has clang
        cc=clang need libomp-dev header omp.h -fopenmp
        need libomp-dev archer
        need libclang-rt-dev thread_sanitizer
        ;;
    valgrind)
        need valgrind has valgrind
        need libc6-dbg test -d /usr/lib/debug/.build-id
        ;;
    lint)
        need clang-format has clang-format
        need clang-tidy has clang-tidy
        need cppcheck has cppcheck
        need shellcheck has shellcheck
        ;;
    *)
        echo "deps.sh: unknown group '$group' (autoconf, build, check, tsan, valgrind, lint)" >&2
        exit 2
        ;;
    esac
done
[ -n "$packages" ] || exit 0
case " $packages " in
*' gcc '*)
    if [ -n "${CC-}" ] && [ "$CC" != cc ] && [ "$CC" != gcc ]; then
        echo "CC=$CC: there is no such compiler" >&2
        exit 1
    fi
    ;;
esac
packages=$(printf '%s\n' $packages | sort -u | tr '\n' ' ')

if ! command -v apt-get >/dev/null; then
    echo "acre needs these, by their Debian names; install them and try again: $packages" >&2
    exit 1
fi
sudo=''
if [ "$(id -u)" != 0 ]; then
    command -v sudo >/dev/null || {
        echo "acre needs these; as root run: apt-get install $packages" >&2
        exit 1
    }
    sudo=sudo
fi
echo "  installing by apt: $packages"
export DEBIAN_FRONTEND=noninteractive
$sudo apt-get -q update || echo "  apt-get update failed; trying with the lists that are there" >&2
# Releases differ: what one has as a package of its own comes with another one in the next.
known=''
for package in $packages; do
    if apt-cache show "$package" >/dev/null 2>&1; then
        known="$known $package"
    else
        echo "  apt has no package $package" >&2
    fi
done
# shellcheck disable=SC2086 # packages are words
[ -z "$known" ] || $sudo apt-get -q -y -o DPkg::Lock::Timeout=300 install --no-install-recommends $known || {
    echo "could not install: $packages" >&2
    exit 1
}
