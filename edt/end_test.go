package edt_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"ocr/edt"
	"ocr/guid"
	"ocr/internal/proof/testrun"
)

// How a run ends where more than one thing ends it.

var errPanic = errors.New("the panic of a body")

// Ways to end a run.
func doMisuse(c *edt.Ctx)   { c.Release(guid.Null) }
func doPanic(*edt.Ctx)      { panic(errPanic) }
func doAbort(c *edt.Ctx)    { c.Abort(9) }
func doShutdown(c *edt.Ctx) { c.Shutdown() }

// told lists what an error tells of, in the order of the text.
func told(err error) (all []string) {
	if err == nil {
		return nil
	}
	for _, line := range strings.Split(err.Error(), "\n") {
		switch {
		case strings.Contains(line, "edt: release"):
			all = append(all, "misuse")
		case strings.Contains(line, "edt: panic"):
			all = append(all, "panic")
		case strings.Contains(line, "edt: aborted"):
			all = append(all, "abort")
		default:
			all = append(all, line)
		}
	}
	return all
}

// TestSeveralEnds: what comes second does so in a deferred call, or simply after.
func TestSeveralEnds(t *testing.T) {
	for _, tc := range []struct {
		name          string
		first, second func(c *edt.Ctx)
		want          []string
	}{
		{"misuse after shutdown", doShutdown, doMisuse, []string{"misuse"}},
		{"panic after shutdown", doShutdown, doPanic, []string{"panic"}},
		{"abort after shutdown", doShutdown, doAbort, nil},
		{"misuse after abort", doAbort, doMisuse, []string{"misuse", "abort"}},
		{"panic after abort", doAbort, doPanic, []string{"panic", "abort"}},
		{"shutdown after abort", doAbort, doShutdown, []string{"abort"}},
		{"abort after misuse", doMisuse, doAbort, []string{"misuse", "abort"}},
		{"abort after panic", doPanic, doAbort, []string{"panic", "abort"}},
		{"shutdown after misuse", doMisuse, doShutdown, []string{"misuse"}},
		{"shutdown after panic", doPanic, doShutdown, []string{"panic"}},
		{"panic after misuse", doMisuse, doPanic, []string{"misuse", "panic"}},
		{"misuse after panic", doPanic, doMisuse, []string{"panic", "misuse"}},
		{"misuse after misuse", doMisuse, doMisuse, []string{"misuse", "misuse"}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			underSeeds(t, 2, func(tr *trial) edt.Func {
				tr.want = func(err error) {
					testrun.Equal(tr, fmt.Sprint(tc.want), fmt.Sprint(told(err)),
						"what the error names")
					if strings.Contains(tc.name, "abort") && err != nil {
						if a := new(edt.AbortError); !errors.As(err, &a) || a.Code != 9 {
							tr.Errorf("%v: the code of the abort is lost", err)
						}
					}
				}
				return body(func(c *edt.Ctx, _ edt.Args) {
					launch(c, func(c *edt.Ctx, _ edt.Args) {
						defer tc.second(c)
						tc.first(c)
					})
				})
			})
		})
	}
}

// TestMisusesOfOneBody: a body that recovers from misuses has them told, up to a bound,
// and those of other EDTs are not mixed in.
func TestMisusesOfOneBody(t *testing.T) {
	onPool(t, func(tr *trial) edt.Func {
		tr.want = func(err error) {
			if n := len(told(err)); n < 2 || n > 8 {
				tr.Errorf("%d misuses are reported", n)
			}
			var one interface{ Unwrap() []error }
			if !errors.As(err, &one) {
				tr.Errorf("%v wraps no list", err)
				return
			}
			var first *edt.Error
			for _, err := range one.Unwrap() {
				var e *edt.Error
				if errors.As(err, &e); first == nil {
					first = e
				}
				testrun.Equal(tr, first.EDT, e.EDT, "EDT of the misuse")
			}
		}
		return body(func(c *edt.Ctx, _ edt.Args) {
			for range 2 * c.Workers() {
				launch(c, func(c *edt.Ctx, _ edt.Args) {
					for range 100 {
						func() {
							defer func() { _ = recover() }()
							doMisuse(c)
						}()
					}
				})
			}
		})
	})
}
