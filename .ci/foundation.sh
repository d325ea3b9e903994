#!/usr/bin/env bash
# Fails if the libraries need more than FoundationEssentials: one symbol of full Foundation brings ICU, 44 MB in a static
# executable. Usage: foundation.sh BUILD MODULE...; BUILD is a directory of SwiftPM with the modules' objects, as .build/release.
set -euo pipefail
export LC_ALL=C
build=$1
modules=("${@:2}")

libraries=$(dirname "$(dirname "$(readlink -f "$(command -v swift)")")")/lib/swift/linux
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

exported() { nm --dynamic --defined-only --format=posix "$@" | awk 'NF > 1 { print $1 }' | sort -u; }
exported "$libraries"/libFoundation{,Internationalization,Networking,XML}.so "$libraries/lib_FoundationICU.so" > "$work/full"
exported "$libraries/libFoundationEssentials.so" > "$work/essential"
comm -23 "$work/full" "$work/essential" > "$work/forbidden"
# Without these the check would pass whatever the objects need.
grep -q NSLock "$work/forbidden"

status=0
for module in "${modules[@]}"; do
    # Those that the executables link: an incremental build leaves the objects of files that have moved.
    mapfile -t objects < <(cat "$build"/{demo-tracker,tracker-config}.product/Objects.LinkFileList | tr -d "'" | grep -F "/$module.build/" | sort -u)
    [ "${#objects[@]}" -gt 0 ] || { echo "no objects of $module in $build"; exit 1; }
    for object in "${objects[@]}"; do
        nm --undefined-only --format=posix "$object" | awk '{ print $1 }' | sort -u \
            | comm -12 - "$work/forbidden" > "$work/found"
        if [ -s "$work/found" ]; then
            swift demangle --simplified < "$work/found" | sed "s|^|$module/$(basename "$object" .o): |"
            status=1
        fi
        # An import alone makes a dynamic executable load the library.
        if readelf --string-dump=.swift1_autolink_entries "$object" | grep -qE -- '-lFoundation(Internationalization)?$'; then
            echo "$module imports Foundation"
            status=1
        fi
    done
done
[ "$status" = 0 ] && echo "the libraries need FoundationEssentials only"
exit "$status"
