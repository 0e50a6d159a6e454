package main

import (
	"path/filepath"
	"slices"
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

// TestGallery runs every app of the gallery in all forms, and has two runs compared.
func TestGallery(t *testing.T) {
	defer goleak.VerifyNone(t)
	for _, a := range galleryApps {
		t.Run(a.Name, func(t *testing.T) {
			if testing.Short() && a.Name != "uts" && a.Name != "wordcount" {
				t.Skip("two apps in short tests: the others have short tests of their own, and go the same way here")
			}
			t.Chdir(t.TempDir())
			for _, file := range []string{"old", "new"} {
				code, _, errs := call(t.Context(), shortly(a, "--workers=2", "--samples=6", "--format=json", "-o", file)...)
				if code != command.ExitOK || errs != "" {
					t.Fatalf("exit code %d, stderr %q", code, errs)
				}
			}
			d := decode(t, testrun.Read(t, "new"))
			if d.App != a.Name || !d.Verified || d.Partial || d.Counters["edt.run"] == 0 {
				t.Errorf("app %s, verified %v, partial %v, counters %v", d.App, d.Verified, d.Partial, d.Counters)
			}
			var forms []string
			for _, r := range d.Results {
				parts := strings.Split(r.Name, "/")
				forms = append(forms, parts[1])
				for name, value := range a.Small {
					if !slices.Contains(parts, name+"="+value) {
						t.Errorf("%s: is of --%s %s", r.Name, name, value)
					}
				}
				if r.Metrics["ms/run"].N != 6 || (r.Metrics["ratio/pool"].N == 6) != (parts[1] == trial.EDT) {
					t.Errorf("%s: %v", r.Name, r.Metrics)
				}
			}
			testrun.Same(t, galleryForms, forms, "forms")
			code, out, errs := call(t.Context(), "compare", "old", "new")
			if code != command.ExitOK || !strings.Contains(out, "ratio/pool") {
				t.Errorf("compare: exit code %d, %s\n%s", code, errs, out)
			}
		})
	}
}

// TestGalleryRuns has every app of the gallery checked, scheduled, and observed.
func TestGalleryRuns(t *testing.T) {
	defer goleak.VerifyNone(t)
	for _, a := range galleryApps {
		t.Run(a.Name, func(t *testing.T) {
			t.Chdir(t.TempDir())
			code, out, errs := call(t.Context(), a.Name, "--check", "--format=json")
			if d := decode(t, out); code != command.ExitOK || d.Config["forms"] != trial.EDT {
				t.Errorf("--check: exit code %d; configuration %v", code, d.Config)
			}
			testrun.Contains(t, errs, "ocrbench: check: 0 faults, ")
			for want, flags := range map[string][]string{
				a.Name + ": verified":         {"--forms=edt", "--schedule=random:7"},
				"average parallelism T1/Tinf": {"--workers=2", "--stats", "--trace=trace", "--graph=dot"},
			} {
				code, out, errs := call(t.Context(), shortly(a, append(flags, "--samples=1")...)...)
				if code != command.ExitOK || errs != "" || !strings.Contains(out, want) {
					t.Errorf("%v: exit code %d, %s\n%s", flags, code, errs, out)
				}
			}
			testrun.Contains(t, testrun.Read(t, "dot"), "digraph")
			if n := strings.Count(testrun.Read(t, "trace"), `"ph":"X"`); n < 2 {
				t.Errorf("%d slices in the trace", n)
			}
		})
	}
}

// TestGraphsAreShort holds that each graph of the gallery has under 150 lines of code.
func TestGraphsAreShort(t *testing.T) {
	for _, a := range galleryApps {
		path, code := filepath.Join("..", "..", "apps", a.Name, "graph.go"), 0
		for line := range strings.Lines(testrun.Read(t, path)) {
			if line = strings.TrimSpace(line); line != "" && !strings.HasPrefix(line, "//") {
				code++
			}
		}
		if code == 0 || code >= 150 {
			t.Errorf("%s: %d lines of code", path, code)
		}
	}
}
