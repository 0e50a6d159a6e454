//go:build ignore

// Command fft finds the frequencies in a signal: an EDT creates two EDTs for the halves, and a third that joins them.
package main

import (
	"context"
	"fmt"
	"math"
	"math/cmplx"

	"ocr/edt"
	"ocr/runtime"
	"ocr/task"
)

// A port is the slot that a transform goes to.
type port = task.Port[complex128]

var fft = task.Declare1[port, task.RW[complex128]]("fft.fft") // declared apart from its body, which names it

var _ = fft.Body(func(c *edt.Ctx, to port, x task.RW[complex128]) {
	n := len(x.Slice())
	if n == 1 { // of one value the transform is the value
		to.Send(c, x.Block())
		return
	}
	evens, even := task.Make[complex128](c, n/2)
	odds, odd := task.Make[complex128](c, n/2)
	for k := range even {
		even[k], odd[k] = x.Slice()[2*k], x.Slice()[2*k+1]
	}
	x.Release(c)
	evens.Release(c)
	odds.Release(c)
	join := combine.New(c, to, task.Open[complex128](), task.Open[complex128](), x.Block().From())
	fft.New(c, join.Slot0(), evens.From())
	fft.New(c, join.Slot1(), odds.From())
})

var combine = task.Define3("fft.combine", func(c *edt.Ctx, to port, even, odd, x task.RW[complex128]) {
	n := len(even.Slice())
	for k, e := range even.Slice() {
		o := cmplx.Rect(1, -math.Pi*float64(k)/float64(n)) * odd.Slice()[k]
		x.Slice()[k], x.Slice()[k+n] = e+o, e-o
	}
	even.Destroy(c)
	odd.Destroy(c)
	to.Send(c, x.Block())
})

func main() {
	const n = 64
	spectrum, err := task.RunAll(context.Background(), runtime.With(), func(c *edt.Ctx, out task.Event[complex128]) {
		signal, x := task.Make[complex128](c, n)
		for t := range x {
			phase := 2 * math.Pi * float64(t) / n
			x[t] = complex(math.Sin(5*phase)+math.Cos(9*phase)/2, 0)
		}
		signal.Release(c)
		fft.New(c, out.Port(), signal.From())
	})
	for k, v := range spectrum[:len(spectrum)/2] {
		if strength := 2 * cmplx.Abs(v) / n; strength > 1e-9 {
			fmt.Printf("frequency %d: %.3f\n", k, strength)
		}
	}
	fmt.Println("error:", err)
}

// Output:
// frequency 5: 1.000
// frequency 9: 0.500
// error: <nil>
