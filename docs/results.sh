#!/usr/bin/env bash
# Measures all that README.md and docs quote, and writes docs/results.md and the README's table: bash docs/results.sh.
# It takes about 5 minutes, and ends early if the machine is not quiet.
#   QUICK=1      tiny sizes, for tests of this script
#   NOT_QUIET=1  goes on on a busy machine, and says so
#   OUT=DIR      writes results.md and README.md there; with QUICK or NOT_QUIET a new folder by default
# Debian's packages: ocrbench overhead --help. What is not installed is left out.
set -euo pipefail
cd "$(dirname "$0")/.."
out=${OUT:-docs}
[ -n "${OUT:-}" ] || [ -z "${QUICK:-}${NOT_QUIET:-}" ] || out=$(mktemp -d)
readme=README.md
[ "$out" = docs ] || { mkdir -p "$out"; cp README.md "$out/"; readme=$out/README.md; }
dir=$(mktemp -d)
trap 'rm -r "$dir"' EXIT
bin=$dir/bin/ocrbench
go build -pgo=auto -o "$bin" ./cmd/ocrbench
go build -o "$dir/bin/results" ./docs/results
mkdir "$dir/r"

quiet() { [ -n "${NOT_QUIET:-}${QUICK:-}" ] || "$dir/bin/results" busy "$1"; }

# measure STEM COMMAND...: one file; again, once, if something has disturbed it.
measure() {
	local stem=$1 began=$SECONDS
	shift
	[ -z "${QUICK:-}" ] || set -- "$@" "${quick[@]}"
	for try in 1 2; do
		"$bin" "$@" --quiet --format json -o "$dir/r/$stem.json"
		if quiet "$dir/r/$stem.json"; then
			{
				printf '\n## %s\n\n`ocrbench %s`\n\n```\n' "$stem" "$*"
				"$bin" convert -v "$dir/r/$stem.json" | awk '/^machine /{ fact=1 } /^note /{ fact=0 } !fact && !/^note *virtual/'
				echo '```'
			} >>"$dir/results.md"
			printf '%4d s  %s\n' $((SECONDS - began)) "$stem"
			return
		fi
	done
	echo "the machine is not quiet: the old pages stay" >&2
	exit 1
}

quick=(--samples 2 --warmup 0 --sample-time 10us)
"$bin" overhead empty-loop --workers 2 --samples 400 --quiet --format json -o "$dir/probe.json"
quiet "$dir/probe.json" || { echo "the machine is not quiet: the old pages stay" >&2; exit 1; }
cat >"$dir/results.md" <<-end
	# Results

	By \`bash docs/results.sh\`. Go has built \`ocrbench\` with a profile of such rows, \`default.pgo\`; programs for other
	runtimes are built with -O3, without a profile. \`ocrbench COMMAND --help\` says what is timed, \`overhead --help\` also
	what the others do. tbb-flow-light runs on one thread for any number of workers.

	\`\`\`
	$(date +%F)
	$("$bin" convert -v "$dir/probe.json" | awk '/^(machine|note) /{ fact=1 } /^config /{ fact=0 } fact')
	note      $("$dir/bin/results" loads)
	\`\`\`
end

measure peers overhead edt-create-run/n=100000 chain fork-join-fib/values=control wavefront/n=100 wavefront/recorded/n=100 \
	sweep stencil_1d --peers --workers 1,2 --samples 11 --sample-time 2ms
measure operations overhead edt-create event-create-destroy satisfy add-dependence block-create-destroy \
	acquire-release fan-out fan-in finish-scope steal hand-off \
	--workers 1,2 --samples 11 --sample-time 2ms
for workers in 1 2; do
	measure synch_p2p-$workers synch_p2p --forms edt,edt-again,edt-recorded,serial,goroutines --workers $workers --samples 21
	measure synch_p2p-large-$workers synch_p2p -P 2 --columns 1000 -B 10 -W 100 --forms edt,serial,goroutines --workers $workers
done
for app in $(sed -n 's/^\t\tName:  "\(.*\)",$/\1/p' cmd/ocrbench/gallery.go); do
	for workers in 1 2; do
		measure "gallery-$app-$workers" "$app" --forms edt,goroutines-pool --workers $workers --samples 11
	done
done
measure metg metg --types stencil_1d --forms edt,recorded,floor --peers --width 8 --workers 1,2 --samples 7 \
	--max-run 50ms
measure pgas pgas putput reduce --pes 2 --sizes 8,64KiB --peers --samples 6
measure pgas-bandwidth pgas putbw --pes 2 --sizes 64KiB,4MiB --samples 6
quick=(--samples 2)
measure c2c c2c --test single,dual --samples 30
cp "$dir/results.md" "$out/"
"$dir/bin/results" table "$readme" "$dir"/r/{peers,gallery-*}.json
echo "$((SECONDS)) s: $out/results.md, $readme"
