#!/usr/bin/env bash
# The picture of README.md, measured here: bash docs/report.sh
# It needs a browser: chromium, as Debian has it.
set -euo pipefail
cd "$(dirname "$0")/.."
dir=$(mktemp -d)
trap 'rm -r "$dir"' EXIT
go build -o "$dir/ocrbench" ./cmd/ocrbench
(
	cd "$dir"
	PATH=$dir:$PATH
	ocrbench synch_p2p --samples 30 --quiet --format json -o synch_p2p.json
	ocrbench pgas putbw --sizes 8,2KiB,512KiB --pes 2 --samples 6 --quiet --format json -o pgas.json
	ocrbench report synch_p2p.json pgas.json -o report.html
)
chromium --headless --no-sandbox --disable-gpu --hide-scrollbars --disable-lcd-text --force-device-scale-factor=0.75 --window-size=1200,1810 \
	--screenshot="$PWD/docs/report.png" "file://$dir/report.html" 2>"$dir/log" || { cat "$dir/log"; exit 1; }
