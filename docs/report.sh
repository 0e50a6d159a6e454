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
	for bind in compact none; do
		ocrbench synch_p2p --bind $bind --samples 30 --quiet --format json -o $bind.json
	done
	ocrbench pgas putget --sizes 8,2KiB,512KiB --pes 2 --samples 6 --quiet --format json -o pgas.json
	ocrbench report compact.json none.json pgas.json -o report.html
)
sed -i 's/<section id="files">/<section hidden>/' "$dir/report.html" # the picture is of what comes below
chromium --headless --no-sandbox --disable-gpu --hide-scrollbars --disable-lcd-text --force-device-scale-factor=0.75 --window-size=1200,1810 \
	--screenshot="$PWD/docs/report.png" "file://$dir/report.html" 2>"$dir/log" || { cat "$dir/log"; exit 1; }
