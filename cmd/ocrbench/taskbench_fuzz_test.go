package main

import (
	"strings"
	"testing"

	taskbenchapp "ocr/apps/taskbench"
	"ocr/internal/command/cli"
)

// FuzzTaskbenchArgs: any text in Task Bench's spelling is accepted, or refused in one line; what is accepted passes the
// check of the graphs or is refused by it.
func FuzzTaskbenchArgs(f *testing.F) {
	for _, args := range []string{
		"-steps 10 -width 4 -type stencil_1d -kernel compute_bound -iter 8",
		"-steps 2 -and -type fft -and -width 3 -output 32 -worker 2",
		"-type=spread -radix 3 -period 2 -fraction 0.5 --quiet",
		"-steps", "-and=1", "-o x -v -vv -h", "--", "-width -1 -type nearest -radix 99999999999999999999",
	} {
		f.Add(args)
	}
	f.Fuzz(func(t *testing.T, args string) {
		tb := parsed()
		err := tb.Cmd.ParseFlags(doubleDashes(tb.FlagSet, strings.Fields(args)))
		if err != nil {
			if line := cli.FlagError(nil, tb.Cmd, err).Error(); line == "" || strings.ContainsAny(line, "\n\r") {
				t.Errorf("%q: refused with %q", args, line)
			}
			return
		}
		for _, g := range tb.allGraphs() {
			one := taskbenchapp.Defaults()
			one.Graphs = []taskbenchapp.Graph{g}
			if err := one.Validate(1 << 30); err != nil && strings.Contains(err.Error(), "\n") {
				t.Errorf("%q: refused with %q", args, err)
			}
		}
	})
}
