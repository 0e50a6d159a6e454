package main

import (
	"strings"
	"testing"

	"go.uber.org/goleak"

	"ocr/internal/command"
)

// TestPGASInterrupted: an interrupt between samples leaves those that were taken, and one ends a run that would take
// for ever.
func TestPGASInterrupted(t *testing.T) {
	defer goleak.VerifyNone(t)
	inThirdRound := func(t *testing.T, args ...string) (int, string, string) {
		return callInterrupted(t, thirdSample, args...)
	}
	const endless = "--baseline none --samples 1 --warmup 0 --iters 1099511627776 --max-time 1h"
	for _, c := range []struct {
		args      string
		interrupt func(t *testing.T, args ...string) (code int, stdout, stderr string)
		rows      bool
	}{
		{"putput --sizes 8 --samples 1000000 --warmup 0 --max-time 1h --sample-time 100us", inThirdRound, true},
		{"putbw --sizes 8 --forms direct " + endless, callInterruptedInside, false},
		{"reduce --sizes 8 --forms edt " + endless, callInterruptedInside, false},
	} {
		code, out, errs := c.interrupt(t, strings.Fields("pgas --pes 2 --quiet --format json "+c.args)...)
		if code != command.ExitInterrupted || errs != "ocrbench: interrupted\n" {
			t.Errorf("%s: exit code %d, stderr %q", c.args, code, errs)
			continue
		}
		d := decode(t, out)
		if !d.Partial || (len(d.Results) > 0) != c.rows {
			t.Errorf("%s: partial %v, %d results", c.args, d.Partial, len(d.Results))
		}
		for _, result := range d.Results {
			if !strings.HasPrefix(result.Name, "pgas/") || result.Metrics["ns/op"].N < 1 {
				t.Errorf("result %+v", result)
			}
		}
	}
}
