#!/usr/bin/env bash
# The table of docs/apps.md, measured here: bash docs/gallery.sh [APP...]
# Lines of code, and the task graph's time by that of goroutines: medians, with intervals, on 1 and 2 workers.
set -euo pipefail
cd "$(dirname "$0")/.."
samples=${SAMPLES:-30}
bin=$(mktemp -d)/ocrbench
trap 'rm -r "${bin%/*}"' EXIT
go build -o "$bin" ./cmd/ocrbench

# Reads --format csv and writes the median of a unit of form edt, with its interval.
median() {
	awk -F, -v unit="$1" '$2 ~ "/edt/" && $(NF-2) == unit { print $NF }' "$2" | sort -g | awk '
		{ v[NR] = $1 }
		END {
			if (NR == 0) { print "-"; exit }
			k = int(NR / 2 - sqrt(NR)); if (k < 1) k = 1 # the interval of the median is between these order statistics
			printf "%.2f (%.2f-%.2f)", (v[int((NR + 1) / 2)] + v[int(NR / 2) + 1]) / 2, v[k], v[NR + 1 - k]
		}'
}

[ $# -gt 0 ] || set -- $(sed -n 's/^\t\tName:  "\(.*\)",$/\1/p' cmd/ocrbench/gallery.go)
echo "| app | lines | to the pool: 1 worker | 2 workers | to a goroutine a task: 1 worker | 2 workers |"
echo "|---|---|---|---|---|---|"
for app; do
	row="| \`$app\` | $(grep -cvE '^\s*(//.*)?$' "apps/$app/graph.go")"
	pool="" naive=""
	for workers in 1 2; do
		"$bin" "$app" --workers $workers --samples "$samples" --quiet --format csv -o "$bin.csv"
		pool+=" | $(median ratio/pool "$bin.csv")" naive+=" | $(median ratio/naive "$bin.csv")"
	done
	echo "$row$pool$naive |"
done
