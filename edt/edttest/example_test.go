package edttest_test

import (
	"fmt"

	"ocr/edt"
	"ocr/edt/edttest"
	"ocr/guid"
)

// Two EDTs that are not ordered set one variable. Explore does the same in a test.
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
