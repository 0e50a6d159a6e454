//go:build ignore

// Command sums counts the ways to pay a dollar: EDTs of a scope add to one value, which is whole when all have ended.
package main

import (
	"context"
	"fmt"
	"log"

	"ocr/edt"
	"ocr/runtime"
	"ocr/task"
	"ocr/task/par"
)

var coins = [...]int{50, 25, 10, 5, 1}

// A purse is what is left to pay, and from which coin on.
type purse struct{ Cents, Coin int }

var ways = par.DefineReduce("sums.ways", func(into, from *int) { *into += *from })

var pay = task.Declare0[purse]("sums.pay")

var _ = pay.Body(func(c *edt.Ctx, p purse) {
	if p.Cents == 0 {
		*ways.Value(c)++ // of this worker: no lock is needed
		return
	}
	for k := p.Coin; k < len(coins); k++ {
		if coins[k] <= p.Cents {
			pay.New(c, purse{p.Cents - coins[k], k})
		}
	}
})

var show = task.Define1("sums.show", func(c *edt.Ctx, _ task.Nothing, n par.Value[int]) {
	fmt.Println(n.Take(c), "ways to pay a dollar")
})

func start(c *edt.Ctx) {
	sum := par.Future[int](c)
	show.New(c, task.Nothing{}, sum.From())
	pay.NewWith(c, ways.Group(c, 0, sum), purse{100, 0})
}

func main() {
	if err := runtime.Run(context.Background(), task.Main(start)); err != nil {
		log.Fatal(err)
	}
}
