package edt_test

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"path/filepath"
	"reflect"
	"regexp"
	goruntime "runtime"
	"slices"
	"strings"
	"sync"
	"testing"

	"ocr/datablock"
	"ocr/edt"
	"ocr/edt/edttest"
	"ocr/guid"
	"ocr/internal/proof/testrun"
	"ocr/runtime"
)

// anyFailure draws an error and what errors.Is must find in it on every rank.
func anyFailure(rng *rand.Rand) (err, inside error) {
	inside = []error{edt.ErrFull, edt.ErrMemory, edt.ENOSPC, edt.ErrRuns, edt.EBUSY}[rng.IntN(5)]
	err = fmt.Errorf("part %d: %w", rng.IntN(1000), inside)
	if rng.IntN(2) == 0 {
		err = errors.Join(fmt.Errorf("file %d is gone", rng.IntN(1000)), err)
	}
	return err, inside
}

// reports are ways in which an EDT reports an error. Each stores in line the line before the one that the error must
// name.
var reports = map[string]func(c *edt.Ctx, err error, line *int){
	"fail": func(c *edt.Ctx, err error, line *int) {
		_, _, *line, _ = goruntime.Caller(0)
		c.Fail(err)
	},
	"function that returns bytes": func(c *edt.Ctx, err error, line *int) {
		_, _, *line, _ = goruntime.Caller(0)
		edt.NewBlocking(1).Call(c, func(context.Context) ([]byte, error) { return []byte("lost"), err })
	},
	"function without a result": func(c *edt.Ctx, err error, line *int) {
		_, _, *line, _ = goruntime.Caller(0)
		edt.NewBlocking(1).Do(c, func(context.Context) error { return err })
	},
}

// TestFailureEndsTheRun: an error that an EDT of any rank reports ends the run, with its text and condition, the EDT
// and the line. EDTs that wait never run.
func TestFailureEndsTheRun(t *testing.T) {
	rng := rand.New(rand.NewPCG(7, 1))
	for name, report := range reports {
		t.Run(name, func(t *testing.T) {
			everywhere(t, func(tr *trial) edt.Func {
				err, inside := anyFailure(rng)
				var line int
				var self guid.GUID
				tr.want = func(got error) {
					f := testrun.As[*edt.FailError](tr, got)
					testrun.Is(tr, got, inside)
					testrun.Equal(tr, err.Error(), f.Err.Error(), "the failure")
					if f.EDT != self || f.Template != "launched" || f.File != "fail_test.go" || f.Line != line+1 ||
						f.Outside != (name != "fail") || (f.On == "") != (tr.ranks < 2) {
						tr.Errorf("%+v, want EDT %v and line %d", got, self, line+1)
					}
					testrun.Contains(tr.t, got.Error(), fmt.Sprintf("%v (fail_test.go:%d)", err, line+1))
				}
				return body(func(c *edt.Ctx, _ edt.Args) {
					never := c.NewEvent(edt.Sticky)
					launch(c, func(*edt.Ctx, edt.Args) { tr.Errorf("an EDT without its event ran") }, rw(never))
					launch(c, func(c *edt.Ctx, _ edt.Args) {
						self = c.Self()
						report(c, err, &line)
					})
				})
			})
		})
	}
}

// TestFailureAmongOtherEnds: a failure counts after a shutdown. The EDT runs to its end, and its other mistakes are
// reported too.
func TestFailureAmongOtherEnds(t *testing.T) {
	gone := &fs.PathError{Op: "open", Path: "/no/such", Err: fs.ErrNotExist}
	for name, second := range map[string]func(c *edt.Ctx){
		"nothing": func(*edt.Ctx) {}, "shutdown": doShutdown, "misuse": doMisuse, "panic": doPanic, "abort": doAbort,
		"failure": func(c *edt.Ctx) { c.Fail(errPanic) },
	} {
		err := edttest.Run(3, 2, body(func(c *edt.Ctx, _ edt.Args) {
			c.Shutdown()
			c.Fail(gone)
			second(c)
		}))
		var path *fs.PathError
		if !errors.Is(err, fs.ErrNotExist) || !errors.As(err, &path) || path != gone {
			t.Errorf("%s: %v, want %v", name, err, gone)
		}
		if more := strings.Count(err.Error(), "\n"); (more == 1) != strings.Contains("misuse panic failure", name) {
			t.Errorf("%s: %v", name, err)
		}
	}
	testrun.Contains(t, fmt.Sprint(edttest.Run(1, 1, body(func(c *edt.Ctx, _ edt.Args) { c.Fail(nil) }))),
		"Fail was called with a nil error (fail_test.go:")
}

// A key is the key of a value in the context that a host is given.
type key struct{}

// TestContext: the context of a run has the values of the host's context. It is done as soon as the host's is, and as
// soon as the run ends early, on every rank, and has the cause.
func TestContext(t *testing.T) {
	given, cancel := context.WithCancel(context.WithValue(context.Background(), key{}, "value"))
	err := runtime.Run(given, body(func(c *edt.Ctx, _ edt.Args) {
		ctx := c.Context()
		if ctx.Err() != nil || ctx.Value(key{}) != "value" {
			t.Errorf("%v, value %v", ctx.Err(), ctx.Value(key{}))
		}
		if cancel(); ctx.Err() == nil || c.Context().Err() == nil {
			t.Error("the context of the host is done, that of the run is not")
		}
	}), runtime.Workers(2))
	testrun.Is(t, err, context.Canceled)

	for name, end := range map[string]func(c *edt.Ctx){
		"shutdown": doShutdown, "abort": doAbort, "fail": func(c *edt.Ctx) { c.Fail(errPanic) },
		"misuse": func(c *edt.Ctx) { defer func() { _ = recover() }(); doMisuse(c) },
	} {
		everywhere(t, func(tr *trial) edt.Func {
			tr.want = func(error) {}
			return body(func(c *edt.Ctx, _ edt.Args) {
				early := c.Context()
				end(c)
				if early.Err() == nil || c.Context().Err() == nil ||
					(context.Cause(early) == context.Canceled) != (name == "shutdown") {
					tr.Errorf("after %s: %v, cause %v", name, early.Err(), context.Cause(early))
				}
			})
		})
	}
}

// TestContextOverRanks: the end of the run on one rank ends the contexts on all ranks.
func TestContextOverRanks(t *testing.T) {
	for seed := range uint64(testrun.Sized(3, 10, 50)) {
		contexts := make([]context.Context, 3)
		err := runOverRanks(seed, len(contexts), body(func(c *edt.Ctx, _ edt.Args) {
			all := c.NewLatch(int64(len(contexts)))
			fails := func(c *edt.Ctx, _ edt.Args) { c.Fail(errPanic) }
			c.NewEDTAt(c.Bind(1), c.NewTemplate("fails", 0, 1, body(fails)), nil, rw(all))
			for rank := range contexts {
				c.NewEDTAt(c.Bind(rank), c.NewTemplate("notes", 0, 0, body(func(c *edt.Ctx, _ edt.Args) {
					contexts[rank] = c.Context()
					c.Satisfy(all, guid.Null)
				})), nil)
			}
		}))
		for rank, ctx := range contexts {
			if ctx.Err() == nil || err == nil {
				t.Errorf("seed %d: error %v, the context of rank %d is not done", seed, err, rank)
			}
		}
	}
}

// TestPanicsNameTheirLine: the error of a panic, of any value and at any depth, names the line, the EDT and its
// template.
func TestPanicsNameTheirLine(t *testing.T) {
	var at string
	mark := func() bool { // the panic is in the line of its call
		_, file, line, _ := goruntime.Caller(1)
		at = fmt.Sprintf("(%s:%d)", filepath.Base(file), line)
		return true
	}
	var table map[string]int
	var none *edt.Spec
	var list []int
	for name, fail := range map[string]action{
		"dependence":      func(_ *edt.Ctx, in edt.Args) { _ = mark() && in.Dep(1) != nil },
		"parameter":       func(_ *edt.Ctx, in edt.Args) { _ = mark() && in.Param(2) == 7 },
		"list":            func(*edt.Ctx, edt.Args) { _ = mark() && list[3] == 7 },
		"view of a block": func(_ *edt.Ctx, in edt.Args) { _ = mark() && datablock.Slice[uint64](in.Dep(0))[9] == 7 },
		"nil map":         func(*edt.Ctx, edt.Args) { mark(); table["one"] = 1 },
		"nil pointer":     func(*edt.Ctx, edt.Args) { _ = mark() && none.Output },
		"division":        func(*edt.Ctx, edt.Args) { _ = mark() && 1/len(list) == 7 },
		"value":           func(*edt.Ctx, edt.Args) { mark(); panic("own") },
		"panic(nil)":      func(*edt.Ctx, edt.Args) { mark(); panic(nil) },
		"library":         func(*edt.Ctx, edt.Args) { mark(); _ = strings.Repeat("x", -1-len(list)) },
		"regexp":          func(*edt.Ctx, edt.Args) { mark(); regexp.MustCompile(strings.Repeat("(", 1+len(list))) },
		"nil, in library": func(*edt.Ctx, edt.Args) { mark(); (*bytes.Buffer)(nil).Len() },
		"reflection":      func(*edt.Ctx, edt.Args) { mark(); reflect.ValueOf(list).Index(3) },
		"later":           func(*edt.Ctx, edt.Args) { f := sync.OnceFunc(func() { mark(); panic("once") }); f() },
		"call by library": func(*edt.Ctx, edt.Args) {
			slices.SortFunc([]int{1, 2}, func(a, b int) int { mark(); return cmp.Compare(list[a], b) })
		},
		"deferred call": func(*edt.Ctx, edt.Args) { defer func() { mark(); panic("second") }(); panic("first") },
		"Goexit":        func(*edt.Ctx, edt.Args) { mark(); goruntime.Goexit() },
		"several calls up": func(_ *edt.Ctx, in edt.Args) {
			func() { func() { _ = mark() && in.Param(len(list)) == 7 }() }()
		},
	} {
		t.Run(name, func(t *testing.T) {
			var self guid.GUID
			got := runtime.Run(t.Context(), body(func(c *edt.Ctx, _ edt.Args) {
				c.NewEDT(c.NewTemplate("faulty", 0, 1, body(func(c *edt.Ctx, in edt.Args) {
					self = c.Self()
					fail(c, in)
				})), nil, rw(wordBlock(c, 1)))
			}), runtime.Workers(1))
			p := testrun.As[*edt.PanicError](t, got)
			testrun.Contains(t, p.Error(), at, "EDT "+self.Short()+" of template faulty")
			if strings.Contains(p.Error(), "nil or zero") {
				t.Errorf("no call of ours was made: %v", p)
			}
		})
	}
}
