package main

import (
	"strings"
	"testing"

	"go.uber.org/goleak"

	"ocr/apps/trial"
	"ocr/internal/command"
	"ocr/internal/proof/testrun"
)

// shortly returns the arguments of a short run of an app of the gallery.
func shortly(a *command.Command, more ...string) []string {
	args := append([]string{a.Name, "--warmup=0", "--sample-time=1us"}, more...)
	for name, value := range a.Small {
		args = append(args, "--"+name+"="+value)
	}
	return args
}

// TestGallery runs every app of the gallery: all forms, observed, and checked.
func TestGallery(t *testing.T) {
	defer goleak.VerifyNone(t)
	for _, a := range galleryApps {
		t.Run(a.Name, func(t *testing.T) {
			t.Chdir(t.TempDir())
			run := func(args ...string) (out, errs string) {
				code, out, errs := call(t.Context(), args...)
				testrun.Equal(t, command.ExitOK, code, "exit code of %v: %s", args, errs)
				return out, errs
			}
			if !testing.Short() || a.Name == "uts" { // the others have short tests of their own, and go the same way here
				out, _ := run(shortly(a, "--workers=2", "--samples=6", "--format=json")...)
				d := decode(t, out)
				testrun.Equal(t, len(galleryForms), len(d.Results), "results")
				if d.App != a.Name || !d.Verified || d.Partial || d.Counters["edt.run"] == 0 {
					t.Errorf("app %s, verified %v, partial %v, counters %v", d.App, d.Verified, d.Partial, d.Counters)
				}
				for k, r := range d.Results {
					testrun.Equal(t, galleryForms[k], strings.Split(r.Name, "/")[1], "form of %s", r.Name)
					for name, value := range a.Small {
						testrun.Contains(t, r.Name, "/"+name+"="+value)
					}
					if r.Metrics["ms/run"].N != 6 || (r.Metrics["ratio/pool"].N == 6) != (galleryForms[k] == trial.EDT) {
						t.Errorf("%s: %v", r.Name, r.Metrics)
					}
				}
			}
			_, errs := run(a.Name, "--check")
			testrun.Contains(t, errs, "ocrbench: check: 0 faults, ")
			out, _ := run(shortly(a, "--workers=2", "--stats", "--trace=trace", "--graph=dot", "--samples=1")...)
			testrun.Contains(t, out, "average parallelism T1/Tinf")
			testrun.Contains(t, testrun.Read(t, "dot"), "digraph")
			testrun.Contains(t, testrun.Read(t, "trace"), `"ph":"X"`)
		})
	}
}
