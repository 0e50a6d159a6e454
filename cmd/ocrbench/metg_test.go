package main

import (
	"strings"
	"testing"

	"go.uber.org/goleak"

	taskbenchapp "ocr/apps/taskbench"
	"ocr/internal/cli"
)

func TestMetgUsage(t *testing.T) {
	defer goleak.VerifyNone(t)
	patterns := list(cli.Words(taskbenchapp.Patterns()))
	for _, c := range []struct{ args, want string }{
		{"--types stencil", "--types stencil: did you mean stencil_1d or stencil_1d_periodic?"},
		{"--types trivial,", `--types trivial,: part "": must be a comma-separated list of ` + patterns + ", or all"},
		{"--forms edt,mpi", "--forms edt,mpi: part mpi: must be a comma-separated list of edt, goroutines, floor"},
		{"--width 0", "--width 0: must be a whole number in 1..2147483647"},
		{"--steps 0", "--steps 0: must be a whole number in 1..2147483647"},
		{"--types fft --width 1", "--width 1: type fft needs two columns: must be 2..16777216"},
		{"--types all --width 2", "--width 2: type stencil_1d_periodic needs three columns: must be 3..16777216"},
		{"--width 100000000", "--width 100000000 (with type trivial): must be 1..16777216"},
		{"--width 16777216 --types all_to_all", "--width 16777216 (with type all_to_all): the graphs need "},
		{"--max-run 0s", "--max-run 0s: must be a duration in 1ms..1h0m0s"},
		{"--svg=", `--svg "": must be a file`},
		{"--svg /nonexistent/x", "--svg /nonexistent/x: must be a file in a directory that can be written: "},
		{"--svg metg.svg -o metg.svg", "--svg metg.svg: -o names the same file"},
		{"extra", "unexpected argument extra: this command takes flags only"},
		{"-steps 3", "unknown flag -s in -steps: see ocrbench metg --help"},
	} {
		t.Run(c.args, func(t *testing.T) { wantUsage(t, noEnv, append([]string{"metg"}, strings.Fields(c.args)...), c.want) })
	}
}
