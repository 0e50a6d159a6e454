package edttest_test

import (
	"fmt"

	"ocr/edt"
	"ocr/edt/edttest"
	"ocr/guid"
)

// Two EDTs that nothing orders set one variable. Explore does the same in a test.
func ExampleSearch() {
	report := edttest.Search(func(trial *edttest.Trial) edt.Func {
		last := ""
		trial.Same("last", func() any { return last })
		return func(c *edt.Ctx, _ edt.Args) guid.GUID {
			for _, name := range []string{"red", "blue"} {
				set := c.NewTemplate(name, 0, 0, func(*edt.Ctx, edt.Args) guid.GUID {
					last = name
					return guid.Null
				})
				c.NewEDT(set, nil)
			}
			return guid.Null
		}
	}, edttest.Workers(1))
	fmt.Println(report.Failure)
	// Output:
	// edttest: a schedule fails: last: red, and blue under fifo
	//   it fails under  lifo
	//   it passes under fifo
	//   run it again with edttest.Replay("lifo")
	//   EDT  fails        passes
	//   0    main#1 on 0  main#1 on 0
	//   1*   blue#1 on 0  red#1 on 0
	//   2*   red#1 on 0   blue#1 on 0
}

// found searches a program, and prints what fails, beside what passes.
func found(program edttest.Program, opts ...edttest.Option) {
	f := edttest.Search(program, opts...).Failure
	fmt.Printf("%v fails, %v passes\n", f.Schedule, f.Passes)
}

// A sum of floats depends on the order of the additions.
func ExampleSearch_orderDependentSum() {
	found(unorderedSum)
	found(unorderedSum, edttest.Pruned())
	// Output:
	// replay:2h fails, fifo passes
	// replay:tidy,2r1 fails, replay:tidy passes
}

// A dependence on a once event is added after the event has triggered.
func ExampleSearch_lostOnceEvent() {
	found(lostOnce)
	// Output: lifo fails, fifo passes
}

// A pool of three buffers is one too small for four messages without a wait between them.
func ExampleSearch_poolTooSmall() {
	found(pipeline(3, 3, 4))
	found(pipeline(3, 3, 4), edttest.Pruned())
	fmt.Println(edttest.Search(pipeline(4, 3, 4), edttest.Pruned()))
	// Output:
	// lifo fails, fifo passes
	// replay:tidy,4r1,5r1,6r1,7r1 fails, replay:tidy passes
	// 196 schedules run: every order of EDTs, but for those that come to the same
}

// Two writers exclude each other, but nothing orders them.
func ExampleSearch_exclusiveOrder() {
	found(exclusiveOrder)
	// Output: lifo fails, fifo passes
}

// A schedule that a failure has printed runs alone with Replay, or as here.
func ExampleParseSchedule() {
	s, err := edttest.ParseSchedule("replay:1r2,2h")
	fmt.Println(s, err)
	_, err = edttest.ParseSchedule("replay:1x2")
	fmt.Println(err)
	// Output:
	// replay:1r2,2h <nil>
	// schedule "replay:1x2": "1x2" must be a move such as 7r2, 7h, 7w1, 7i0, 7q1.0, 9o1 or 4a0, each choice once
}
