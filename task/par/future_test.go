package par_test

import (
	"errors"
	"fmt"
	"slices"
	"testing"

	"ocr/edt"
	"ocr/task"
	"ocr/task/par"
)

var (
	square = par.DefineFunc("test.square", func(_ *edt.Ctx, n int) int { return n * n })
	adds   = task.Define2("test.adds", func(c *edt.Ctx, to task.Event[int], a, b par.Value[int]) {
		par.Set(c, to, a.Take(c)+b.Take(c))
	})
	scaled = par.DefineMap("test.scaled", func(by float64, n int) int { return int(by * float64(n)) })
)

func TestFunc(t *testing.T) {
	body := func(c *edt.Ctx) { adds.New(c, taker(c), square.Call(c, 3).From(), square.Call(c, 4).From()) }
	conforms(t, body, gives([]int{25}))
	explore(t, body, gives([]int{25}))
}

// TestAll: the elements come in the order of the events, also if nothing comes on some.
func TestAll(t *testing.T) {
	for _, n := range []int{0, 1, 2, 5, 40} {
		var want []int
		for k := range n {
			want = append(want, k*k)
		}
		body := func(c *edt.Ctx) {
			then := taker(c)
			var of []task.Event[int]
			for k := range n {
				of = append(of, square.Call(c, k))
				if k%3 == 2 {
					none := par.Future[int](c)
					none.Signal(c)
					of = append(of, none)
				}
			}
			par.All(c, then, of...)
		}
		conforms(t, body, gives(want))
		if n == 2 {
			explore(t, body, gives(want))
		}
	}
	conforms(t, func(c *edt.Ctx) { // what brings blocks may do so later, and have many elements
		a, b, none := task.Sticky[int](c), par.Future[int](c), task.Once[int](c)
		par.All(c, taker(c), b, a, none)
		many, v := task.Make[int](c, 3)
		v[1] = 7
		a.Send(c, many)
		a.Destroy(c)
		none.Signal(c)
		par.Set(c, b, 5)
	}, gives([]int{5, 0, 7, 0}))
	explore(t, func(c *edt.Ctx) { // nothing at all
		none := task.Once[int](c)
		par.All(c, taker(c), none)
		none.Signal(c)
	}, gives(nil))
}

// cameEmpty notes for a taker that an empty block came: 1, or that none did: 0.
var cameEmpty = task.Define1("test.came-empty", func(c *edt.Ctx, to task.Event[int], b task.RW[int]) {
	if b.IsNull() {
		par.Set(c, to, 0)
		return
	}
	par.Set(c, to, 1+len(b.Slice()))
	b.Destroy(c)
})

// TestEmptyBlocks: a map of no elements, all of no elements and the first of no elements are empty blocks.
func TestEmptyBlocks(t *testing.T) {
	empties := map[string]func(c *edt.Ctx, to task.Event[int]){
		"all": func(c *edt.Ctx, to task.Event[int]) {
			a, b := par.Future[int](c), par.Future[int](c)
			par.All(c, to, a, b)
			a.Put(c)
			b.Signal(c)
		},
		"any": func(c *edt.Ctx, to task.Event[int]) {
			a, b := par.Future[int](c), par.Future[int](c)
			par.Any(c, to, a, b)
			a.Put(c)
			b.Put(c)
		},
		"map": func(c *edt.Ctx, to task.Event[int]) {
			from, mapped := task.Reserve[int](c, 0), par.Future[int](c)
			discard.New(c, to, from.From(), mapped.From())
			scaled.Map(c, 2, from.From(), 3, mapped)
		},
	}
	for name, empty := range empties {
		t.Run(name, func(t *testing.T) {
			conforms(t, func(c *edt.Ctx) {
				to := par.Future[int](c)
				cameEmpty.New(c, taker(c), to.From())
				empty(c, to)
			}, gives([]int{1}))
		})
	}
}

func TestAny(t *testing.T) {
	one := func() error {
		if len(got) != 1 || !slices.Contains([]int{1, 4, 9}, got[0]) {
			return fmt.Errorf("got %v", got)
		}
		return nil
	}
	body := func(c *edt.Ctx) {
		par.Any(c, taker(c), square.Call(c, 1), square.Call(c, 2), square.Call(c, 3))
	}
	conforms(t, body, one)
	explore(t, body, one)
	conforms(t, func(c *edt.Ctx) { // the first brings no block
		none := task.Counted[int](c, 1)
		none.Signal(c)
		par.Any(c, taker(c), none)
	}, func() error {
		if len(got) != 0 {
			return errors.New("a block came")
		}
		return nil
	})
}

func TestMap(t *testing.T) {
	for _, r := range ranges {
		want := []int{}
		for i := range r.n {
			want = append(want, (i+1)*5/2)
		}
		conforms(t, func(c *edt.Ctx) {
			source := task.None[int]()
			to := par.Future[int](c)
			if r.n == 0 {
				take.New(c, task.Nothing{}, to.From())
			} else {
				b, v := task.Make[int](c, r.n)
				for i := range v {
					v[i] = i + 1
				}
				b.Release(c)
				source = b.From()
				discard.New(c, taker(c), source, to.From())
			}
			scaled.Map(c, 2.5, source, r.grain, to)
		}, gives(want))
	}
}
