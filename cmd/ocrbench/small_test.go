package main

import (
	"fmt"
	"strings"
	"testing"

	"ocr/internal/command"
	"ocr/internal/proof/testrun"
)

// sizeFlags set the size of a problem, each with the arguments of its run. SIZE is the size, POWER a power of two.
var sizeFlags = []string{
	"cholesky -n SIZE", "cg -n SIZE", "stencil2d -n SIZE --steps 2", "uts --depth SIZE --branching 1.5",
	"wordcount -n SIZE", "wordcount -n 500 --vocabulary SIZE", "wordcount -n 500 --block SIZE",
	"cg -n 4 --iterations SIZE", "stencil2d -n 10 --steps SIZE",
	"uts --depth SIZE --branching 1.5 --check", "cholesky -n SIZE --check",
	"synch_p2p -P SIZE", "synch_p2p -K SIZE", "synch_p2p -B SIZE", "synch_p2p -W SIZE", "synch_p2p -T SIZE",
	"synch_p2p --columns SIZE",
	"taskbench --steps SIZE", "taskbench --width SIZE", "taskbench --type stencil_1d --width SIZE",
	"taskbench --type dom --width SIZE",
	"taskbench --type nearest --width SIZE", "taskbench --type spread --width SIZE",
	"taskbench --type random_nearest --width SIZE",
	"taskbench --type spread --period SIZE", "taskbench --kernel memory_bound --iter SIZE",
	"taskbench --kernel memory_bound --iter 1 --sample SIZE",
	"taskbench --type fft --width POWER", "taskbench --type stencil_1d_periodic --steps SIZE",
	"c2c --test single --forms polled,edt --warmup SIZE", "c2c --test array --forms polled,edt --lengths SIZE",
	"pgas putput --iters SIZE", "pgas putbw --sizes SIZE", "pgas stridedput --strides SIZE",
}

// sizeArgs make runs of a command short.
var sizeArgs = map[string]string{
	"taskbench": "--no-floor --workers 1",
	"pgas":      "--sample-time 1us --samples 1 --warmup 0 --forms direct",
	"c2c":       "--samples 1 --stim-len 4",
	"":          "--workers 1 --samples 1 --warmup 0 --sample-time 1us",
}

// TestSmallSizes: no default prevents a small problem. Sizes of 1 to 10 run and are verified, also if the default of a
// tile, a cut-off, a number of strips or a radix is larger.
func TestSmallSizes(t *testing.T) {
	most := 10
	if testing.Short() {
		most = 2
	}
	const metg = "metg --width 1 --steps 3 --samples 1 --warmup 0 --sample-time 1us --max-run 1ms --workers 1 " +
		"--forms floor"
	if code, _, errs := call(t.Context(), strings.Fields(metg)...); code != command.ExitOK {
		t.Errorf("%s: exit code %d, %s", metg, code, errs)
	}
	for _, line := range sizeFlags {
		name, _, _ := strings.Cut(line, " ")
		step := testrun.Sized(1, 3, 1)
		if name == "c2c" || name == "pgas" { // a run takes 0.1 to 0.2 s
			step = 4
		}
		if name == "c2c" || name == "pgas" {
			twoCPUs(t)
		}
		short, ok := sizeArgs[name]
		if !ok {
			short = sizeArgs[""]
		}
		for size := 1; size <= most; size += step {
			sizes := strings.NewReplacer("SIZE", fmt.Sprint(size), "POWER", fmt.Sprint(2<<(size%5)))
			args := sizes.Replace(line + " " + short)
			if code, _, errs := call(t.Context(), strings.Fields(args)...); code != command.ExitOK {
				t.Errorf("%s: exit code %d, %s", args, code, errs)
			}
		}
	}
}
