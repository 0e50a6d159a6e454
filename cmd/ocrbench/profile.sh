#!/usr/bin/env bash
# Makes default.pgo anew, the profile that ocrbench is built with: a minute. Run it when functions of the core have
# moved or changed their names: the compiler inlines them by the names and lines in the profile.
set -euo pipefail
cd "$(dirname "$0")/../.."
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
profile() { # PACKAGE BENCHMARK TIME
	go test -run '^$' -bench "$2" -benchtime "$3" -pgo=off -cpuprofile "$tmp/${1##*/}.prof" -o "$tmp/${1##*/}.test" "$1"
}
profile ./internal/measure/suite/overhead Rows 100ms
profile ./apps/synchp2p EDT 1s
go tool pprof -proto -output cmd/ocrbench/default.pgo "$tmp"/*.prof
