package edt_test

import (
	"context"
	"fmt"

	"ocr/edt"
	"ocr/guid"
	"ocr/runtime"
)

// startOn runs a program of examples on several workers.
func startOn(workers int, main func(c *edt.Ctx)) {
	_ = runtime.Run(context.Background(), func(c *edt.Ctx, _ edt.Args) guid.GUID {
		main(c)
		return guid.Null
	}, runtime.Workers(workers))
}

var where = edt.NewTemplate("example where", 0, 0, func(c *edt.Ctx, _ edt.Args) guid.GUID {
	fmt.Println("on worker", c.Worker())
	return guid.Null
})

// Work is spread over as many workers as have a processor of their own.
func ExampleCtx_Places() {
	startOn(3, func(c *edt.Ctx) {
		fmt.Println(1 <= c.Places() && c.Places() <= c.Workers())
	})
	// Output: true
}

// Workers are numbered from 0.
func ExampleCtx_Workers() {
	startOn(3, func(c *edt.Ctx) { fmt.Println(c.Workers()) })
	// Output: 3
}

// The first worker of each rank.
func ExampleCtx_Ranks() {
	startOn(3, func(c *edt.Ctx) {
		for rank := range c.Ranks() {
			fmt.Println("worker", rank*c.Workers()/c.Ranks())
		}
	})
	// Output: worker 0
}

// EDTs of several ranks cannot have a block at the same time, and use a window in its place.
func ExampleCtx_Window() {
	startOn(3, func(c *edt.Ctx) {
		if w := c.Window(); w != nil {
			w.Store(0, 0, 8, 1)
		} else {
			fmt.Println("all EDTs can have a block")
		}
	})
	// Output: all EDTs can have a block
}

// The worker that runs this EDT.
func ExampleCtx_Worker() {
	startOn(3, func(c *edt.Ctx) { c.NewEDTAt(c.Bind(1), where, nil) })
	// Output: on worker 1
}

// The EDT runs on this worker, and on no other.
func ExampleCtx_Bind() {
	startOn(3, func(c *edt.Ctx) { c.NewEDTAt(c.Bind(2), where, nil) })
	// Output: on worker 2
}

// The EDT goes to this worker; another one that has nothing to do may take it from there.
func ExampleCtx_Place() {
	startOn(3, func(c *edt.Ctx) {
		at := c.Place(2)
		fmt.Println(at.Worker(), at.Strict())
		c.NewEDTAt(at, square, edt.Params(2))
	})
	// Output:
	// 2 false
	// 4
}

// OCR's names of places, which a block can hold.
func ExampleCtx_Affinity() {
	startOn(3, func(c *edt.Ctx) {
		name := c.Affinity(1)
		fmt.Println(c.AffinityOf(name) == c.Place(1))
	})
	// Output: true
}

// A name of a place, as the hint of an EDT.
func ExampleCtx_AffinityOf() {
	startOn(3, func(c *edt.Ctx) {
		at := c.AffinityOf(c.Affinity(2))
		fmt.Println(at.Worker())
	})
	// Output: 2
}

// All names of places.
func ExampleCtx_AffinityCount() {
	startOn(3, func(c *edt.Ctx) {
		for k := range c.AffinityCount() {
			fmt.Println(c.AffinityOf(c.Affinity(k)).Worker())
		}
	})
	// Output:
	// 0
	// 1
	// 2
}

// The name of this EDT's place.
func ExampleCtx_CurrentAffinity() {
	startOn(3, func(c *edt.Ctx) { fmt.Println(c.CurrentAffinity() == c.Affinity(c.Worker())) })
	// Output: true
}

// The hint of an EDT that waits is changed.
func ExampleCtx_SetHint() {
	start(func(c *edt.Ctx) {
		low, high := open(c, 1, func(*edt.Ctx, edt.Args) {
			fmt.Println("low")
		}), open(c, 1, func(*edt.Ctx, edt.Args) { fmt.Println("high") })
		c.SetHint(low, edt.Hint{Priority: -1})
		c.SetHint(high, edt.Hint{Priority: 1})
		for _, g := range []guid.GUID{high, low} {
			c.AddDependence(guid.Null, g, 0, 0)
		}
	})
	// Output:
	// high
	// low
}

// An EDT that another worker should run.
func ExampleHint() {
	startOn(3, func(c *edt.Ctx) {
		c.Spawn(square, &edt.Spec{Params: edt.Params(2), Hint: edt.Hint{Affinity: c.Place(2)}})
	})
	// Output: 4
}

// All EDTs of a template have its hint.
func ExampleTemplate_SetHint() {
	startOn(2, func(c *edt.Ctx) {
		t := c.NewTemplate("on worker 1", 0, 0, body(func(c *edt.Ctx, _ edt.Args) { fmt.Println(c.Worker()) }))
		c.NewEDT(t.SetHint(edt.Hint{Affinity: c.Bind(1)}), nil)
	})
	// Output: 1
}

// Ctx.Place before there is a run: for the hint of a template.
func ExamplePlaceOn() {
	fmt.Println(edt.PlaceOn(2).Worker(), edt.PlaceOn(2).Strict())
	// Output: 2 false
}

// Ctx.Bind before there is a run.
func ExampleBindTo() {
	fmt.Println(edt.BindTo(2).Worker(), edt.BindTo(2).Strict())
	// Output: 2 true
}

// The zero Affinity is anywhere.
func ExampleAffinity_Worker() {
	fmt.Println(edt.PlaceOn(3).Worker(), edt.Affinity(0).Worker())
	// Output: 3 -1
}

// Whether another worker may run the EDT.
func ExampleAffinity_Strict() {
	fmt.Println(edt.PlaceOn(3).Strict(), edt.BindTo(3).Strict())
	// Output: false true
}
