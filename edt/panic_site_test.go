package edt_test

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
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
	"ocr/guid"
	"ocr/internal/proof/testrun"
	"ocr/runtime"
)

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
	for name, body := range map[string]func(c *edt.Ctx, in edt.Args){
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
			got := runtime.Run(t.Context(), func(c *edt.Ctx, in edt.Args) guid.GUID {
				b, _ := c.NewBlock(8)
				c.Release(b)
				t := c.NewTemplate("faulty", 0, 1, func(c *edt.Ctx, in edt.Args) guid.GUID {
					self = c.Self()
					body(c, in)
					return guid.Null
				})
				c.NewEDT(t, nil, edt.From(b, datablock.RW))
				return guid.Null
			}, runtime.Workers(1))
			var p *edt.PanicError
			if !errors.As(got, &p) {
				t.Fatalf("the run ended with %v", got)
			}
			testrun.Contains(t, got.Error(), at, "EDT "+self.Short()+" of template faulty")
			if strings.Contains(got.Error(), "nil or zero") {
				t.Errorf("no call of ours was made: %v", got)
			}
		})
	}
}
