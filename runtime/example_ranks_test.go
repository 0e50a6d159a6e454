package runtime_test

import (
	"context"
	"errors"
	"fmt"

	"ocr/edt"
	"ocr/guid"
	"ocr/runtime"
)

// hereIs prints the rank that it runs on. It is a variable of the package, so that all ranks have the template.
var hereIs = edt.NewTemplate("hereIs", 0, 0, func(c *edt.Ctx, _ edt.Args) guid.GUID {
	fmt.Println("an EDT on rank", c.Self().Home())
	return guid.Null
})

// onEachWorker creates an EDT for each worker. Workers are numbered over all ranks.
func onEachWorker(c *edt.Ctx, _ edt.Args) guid.GUID {
	for w := range c.Workers() {
		c.NewEDTAt(c.Bind(w), hereIs, nil)
	}
	return guid.Null
}

// A program on two ranks: mpirun --bind-to none -n 2 PROGRAM. On rank 1 Run does not return. Without mpirun, as here,
// the error says what to type.
func ExampleRanks() {
	err := runtime.Run(context.Background(), onEachWorker, runtime.Ranks(2), runtime.Workers(1))
	var refused *runtime.OptionError
	if errors.As(err, &refused) {
		fmt.Println("cannot be:", refused.Option)
	}
	// Output: cannot be: Ranks(2)
}
