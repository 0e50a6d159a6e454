package check_test

import (
	"errors"
	"fmt"
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
	mode datablock.Mode
	body func(c *edt.Ctx, in edt.Args, l *line)
}{
	{"a write in mode RO", finding.ReadOnlyWrite, datablock.RO, func(_ *edt.Ctx, in edt.Args, l *line) {
		words := datablock.Slice[uint64](in.Dep(0))
		words[3+l.mark()]++
	}},
	{"a copy in mode Const", finding.ReadOnlyWrite, datablock.Const, func(_ *edt.Ctx, in edt.Args, l *line) {
		copy(in.Dep(0).Bytes()[2000+l.mark():], strings.Repeat("text", 500))
	}},
	{"the library writes in mode RO", finding.ReadOnlyWrite, datablock.RO, func(_ *edt.Ctx, in edt.Args, l *line) {
		words := datablock.Slice[uint64](in.Dep(0))
		slices.Reverse(words[l.mark():])
	}},
	{"a write after a release", finding.LateAccess, datablock.RW, func(c *edt.Ctx, in edt.Args, l *line) {
		words := datablock.Slice[uint64](in.Dep(0))
		c.Release(in.Dep(0).GUID())
		words[3+l.mark()]++
	}},
	{"a read after a release", finding.LateAccess, datablock.RO, func(c *edt.Ctx, in edt.Args, l *line) {
		words := datablock.Slice[uint64](in.Dep(0))
		c.Release(in.Dep(0).GUID())
		if words[3+l.mark()] == 7 {
			c.Shutdown()
		}
	}},
}

// Each names its line, template and EDT in the error of the run.
func TestAccessesNameTheirLine(t *testing.T) {
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
				if !errors.As(err, &faults) || len(faults.Findings) != 1 || faults.Cause == nil {
					t.Fatalf("the run ended with %v, want one fault", err)
				}
				f := faults.Findings[0]
				if f.Kind != a.kind || f.Site != l.at || f.Template != "faulty" || !strings.Contains(err.Error(), l.at) ||
					!strings.Contains(err.Error(), self) {
					t.Errorf("%v\nwant %v at %s by EDT %s", err, a.kind, l.at, self)
				}
				if !strings.Contains(faults.Cause.Error(), l.at) {
					t.Errorf("the panic names no line: %v", faults.Cause)
				}
			})
		}
	}
}

// Bytes that are read after the run, by any goroutine, are zero.
func TestBytesReadAfterTheRun(t *testing.T) {
	var bytes []byte
	_, err := runChecked(t, 2, func(c *edt.Ctx) {
		launch(c, "keeper", func(c *edt.Ctx, in edt.Args) {
			bytes = in.Dep(0).Bytes()
			bytes[7] = 1
			c.DestroyBlock(in.Dep(0).GUID())
		}, edt.From(written(c, 8), datablock.RW))
	})
	testrun.OK(t, err)
	elsewhere(func() { testrun.Equal(t, 0, bytes[7], "what is left") })
}
