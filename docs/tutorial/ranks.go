//go:build ignore

// Command ranks counts primes on two processes.
package main

import (
	"context"
	"fmt"
	"log"
	"math/big"

	"ocr/edt"
	"ocr/runtime"
	"ocr/task"
)

// A part is a range of numbers, and the slot for the count of its primes.
type part struct {
	From, To int
	Out      task.Port[found]
}

// found is the count of a rank.
type found struct{ Rank, Primes int }

var count = task.Define0("ranks.count", func(c *edt.Ctx, p part) {
	block, f := task.Make[found](c, 1)
	f[0].Rank = c.Self().Home() // the rank of this EDT
	for n := p.From; n < p.To; n++ {
		if big.NewInt(int64(n)).ProbablyPrime(0) {
			f[0].Primes++
		}
	}
	p.Out.Send(c, block) // to the rank of the EDT that reads it
})

var show = task.Define2("ranks.show", func(c *edt.Ctx, _ task.Nothing, a, b task.RO[found]) {
	for _, part := range []task.RO[found]{a, b} {
		fmt.Printf("rank %d has found %d primes\n", part.At(0).Rank, part.At(0).Primes)
		part.Destroy(c)
	}
})

func start(c *edt.Ctx) {
	all := show.NewOpen(c, task.Nothing{})
	count.New(c, part{0, 20_000, all.Slot0()}, task.Opt{At: c.Place(0)})
	last := task.Opt{At: c.Place(c.Workers() - 1)} // the last worker of all ranks
	count.New(c, part{20_000, 40_000, all.Slot1()}, last)
}

func main() {
	if err := runtime.Run(context.Background(), task.Main(start), runtime.Ranks(2), runtime.Workers(1)); err != nil {
		log.Fatal(err)
	}
}
