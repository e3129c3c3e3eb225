#!/bin/sh
# Pack the sources, with configure made, into acre-VERSION.tar.gz in the current folder. All files carry one
# time, so that nothing in the archive looks out of date and the archive is the same for the same sources.
set -eu
name=acre-$VERSION
epoch=${SOURCE_DATE_EPOCH:-$(git -C "$SRCDIR" log -1 --format=%ct 2>/dev/null || date +%s)}
list=$(mktemp)
trap 'rm -f "$list"' EXIT
sh "$SRCDIR/scripts/files.sh" "$SRCDIR" > "$list"
echo configure >> "$list"
tar --create --directory="$SRCDIR" --files-from="$list" --transform="s|^|$name/|" --sort=name --owner=0 --group=0 \
    --numeric-owner --mode=u+rw,go+r,go-w --mtime="@$epoch" | gzip -9n > "$name.tar.gz.part"
mv "$name.tar.gz.part" "$name.tar.gz"
echo "  packed $name.tar.gz ($(wc -l < "$list") files)"
