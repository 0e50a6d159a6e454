package check_test

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	goruntime "runtime"
	"slices"
	"strings"
	"testing"

	"ocr/datablock"
	"ocr/edt"
	"ocr/internal/proof/testrun"
	"ocr/runtime/finding"
)

// A line remembers where an access stands: mark is called in the same line.
type line struct{ at string }

func (l *line) mark() (zero int) {
	_, file, n, _ := goruntime.Caller(1)
	l.at = fmt.Sprintf("%s:%d", filepath.Base(file), n)
	return 0
}

// elsewhere runs something on a goroutine of its own, and waits for it.
func elsewhere(f func()) {
	done := make(chan bool)
	go func() {
		defer close(done)
		f()
	}()
	<-done
}

// accesses are programs with one access that must not be. The EDT that is blamed is of template faulty.
var accesses = []struct {
	name string
	kind finding.Kind
	ends bool // it is a panic of the EDT
	mode datablock.Mode
	body func(c *edt.Ctx, in edt.Args, l *line)
}{
	{"a write in mode RO", finding.ReadOnlyWrite, true, datablock.RO, func(_ *edt.Ctx, in edt.Args, l *line) {
		words := datablock.Slice[uint64](in.Dep(0))
		words[3+l.mark()]++
	}},
	{"a copy in mode Const", finding.ReadOnlyWrite, true, datablock.Const, func(_ *edt.Ctx, in edt.Args, l *line) {
		copy(in.Dep(0).Bytes()[2000+l.mark():], strings.Repeat("text", 500))
	}},
	{"the library writes in mode RO", finding.ReadOnlyWrite, true, datablock.RO, func(_ *edt.Ctx, in edt.Args, l *line) {
		words := datablock.Slice[uint64](in.Dep(0))
		slices.Reverse(words[l.mark():])
	}},
	{"a write after a release", finding.LateAccess, true, datablock.RW, func(c *edt.Ctx, in edt.Args, l *line) {
		words := datablock.Slice[uint64](in.Dep(0))
		c.Release(in.Dep(0).GUID())
		words[3+l.mark()]++
	}},
	{"a read after a release", finding.LateAccess, true, datablock.RO, func(c *edt.Ctx, in edt.Args, l *line) {
		words := datablock.Slice[uint64](in.Dep(0))
		c.Release(in.Dep(0).GUID())
		if words[3+l.mark()] == 7 {
			c.Shutdown()
		}
	}},
	{"a fault that the body recovers from", finding.ReadOnlyWrite, false, datablock.RO,
		func(_ *edt.Ctx, in edt.Args, l *line) {
			defer func() { _ = recover() }()
			in.Dep(0).Bytes()[3+l.mark()]++
		}},
	{"a goroutine writes in mode RO", finding.ReadOnlyWrite, false, datablock.RO, func(_ *edt.Ctx, in edt.Args, l *line) {
		bytes := in.Dep(0).Bytes()
		elsewhere(func() { bytes[3+l.mark()]++ })
	}},
	{"a goroutine copies in mode RO", finding.ReadOnlyWrite, false, datablock.RO, func(_ *edt.Ctx, in edt.Args, l *line) {
		bytes := in.Dep(0).Bytes()
		elsewhere(func() { copy(bytes[l.mark():], "text") })
	}},
	{"a goroutine writes after the release", finding.LateAccess, false, datablock.RW,
		func(c *edt.Ctx, in edt.Args, l *line) {
			bytes := in.Dep(0).Bytes()
			c.Release(in.Dep(0).GUID())
			elsewhere(func() { bytes[3+l.mark()]++ })
		}},
	{"a goroutine reads after the EDT", finding.LateAccess, false, datablock.RW, func(c *edt.Ctx, in edt.Args, l *line) {
		bytes := in.Dep(0).Bytes()
		launch(c, "later", func(c *edt.Ctx, _ edt.Args) {
			elsewhere(func() {
				if bytes[3+l.mark()] == 7 {
					panic("the byte is there")
				}
			})
		}, edt.From(c.Output(), datablock.Null))
	}},
}

// Each names its line, template and EDT in the error of the run.
func TestAccessesNameTheirLine(t *testing.T) { inBothWays(t, testAccessesNameTheirLine) }

func testAccessesNameTheirLine(t *testing.T) {
	for _, a := range accesses {
		for _, workers := range []int{1, 2, 8} {
			t.Run(fmt.Sprintf("%s, %d workers", a.name, workers), func(t *testing.T) {
				var l line
				var self string
				_, err := runChecked(t, workers, func(c *edt.Ctx) {
					b := written(c, 4096)
					faulty := job(c, "faulty", 1, func(c *edt.Ctx, in edt.Args) {
						self = c.Self().Short()
						a.body(c, in, &l)
					})
					task, out := c.Spawn(faulty, &edt.Spec{Output: true, Deps: []edt.Source{edt.Open}})
					launch(c, "last", func(c *edt.Ctx, _ edt.Args) {
						c.DestroyBlock(b)
						c.DestroyTemplate(faulty)
					}, edt.From(out, datablock.Null))
					c.AddDependence(b, task, 0, a.mode)
				})
				var faults *finding.Error
				if !errors.As(err, &faults) || len(faults.Findings) != 1 || (faults.Cause != nil) != a.ends {
					t.Fatalf("the run ended with %v, want one fault", err)
				}
				f := faults.Findings[0]
				if f.Kind != a.kind || f.Site != l.at || f.Template != "faulty" || !strings.Contains(err.Error(), l.at) ||
					!strings.Contains(err.Error(), self) {
					t.Errorf("%v\nwant %v at %s by EDT %s", err, a.kind, l.at, self)
				}
				if a.ends && !strings.Contains(faults.Cause.Error(), l.at) {
					t.Errorf("the panic names no line: %v", faults.Cause)
				}
			})
		}
	}
}

// Bytes that are used after the run are zero; a message says once what happened, and the process goes on.
func TestBytesUsedAfterTheRun(t *testing.T) {
	if os.Getenv("OCR_AFTER_RUN") == "" {
		cmd := exec.Command(os.Args[0], "-test.run=^TestBytesUsedAfterTheRun$")
		cmd.Env = append(os.Environ(), "OCR_AFTER_RUN=1")
		out, err := cmd.CombinedOutput()
		if err != nil || strings.Count(string(out), "used after the end of their run") != 2 {
			t.Errorf("error %v\n%s", err, out)
		}
		return
	}
	// Two runs, each with two late uses.
	for _, late := range []func(b []byte){func(b []byte) { b[3] = 1 }, func(b []byte) {
		testrun.Equal(t, 0, b[7], "what is left")
	}} {
		var bytes []byte
		if _, err := runChecked(t, 2, func(c *edt.Ctx) {
			launch(c, "keeper", func(c *edt.Ctx, in edt.Args) {
				bytes = in.Dep(0).Bytes()
				bytes[7] = 1
				c.DestroyBlock(in.Dep(0).GUID())
			}, edt.From(written(c, 8), datablock.RW))
		}); err != nil {
			t.Fatal(err)
		}
		late(bytes)
		elsewhere(func() { late(bytes) })
	}
}
