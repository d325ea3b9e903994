#!/usr/bin/env bash
# Fails if a static, stripped service that uses TrackerConfig, and whose linker folds equal functions, is larger than the limit,
# or does not run. Its arguments are options of the build.
set -euo pipefail
cd "$(dirname "$0")/.."
limit=19200000

scratch=.build/static
# The last option: .ci/run builds other packages in the same directory.
swift build -c release --static-swift-stdlib --package-path Examples/Static --scratch-path "$scratch" \
    --disable-build-manifest-caching "$@"
service=$(mktemp -d)
trap 'rm -rf "$service"' EXIT
strip -o "$service/static-service" "$scratch/release/static-service"
size=$(stat -c %s "$service/static-service")
echo "a static, stripped service has $size bytes, of at most $limit"
"$service/static-service" "$service/state" | tee "$service/output"
grep -q 'search on' "$service/output"
[ "$size" -le "$limit" ]
