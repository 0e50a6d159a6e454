//go:build ignore

// Command wavefront counts the ways across a grid: each cell waits for the one above it and the one to its left.
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

const n = 5 // rows and columns

// A cell has a place, and the events that the cells below and to the right wait for.
type cell struct {
	Row, Col    int
	Down, Right task.Event[int]
}

var visit = task.Define2("wavefront.visit", func(c *edt.Ctx, p cell, up, left par.Value[int]) {
	ways := up.Take(c) + left.Take(c)
	if p.Row < n-1 {
		par.Set(c, p.Down, ways)
	}
	if p.Col < n-1 {
		par.Set(c, p.Right, ways)
	}
	if p.Row == n-1 && p.Col == n-1 {
		fmt.Println(ways, "ways")
	}
})

// edge is for a cell at the edge of the grid: there is one way along it.
func edge(c *edt.Ctx) task.Event[int] {
	e := par.Future[int](c)
	par.Set(c, e, 1)
	return e
}

func start(c *edt.Ctx) {
	var up [n]task.Event[int]
	for col := range up {
		up[col] = edge(c)
	}
	for row := range n {
		left := edge(c)
		for col := range n {
			p := cell{Row: row, Col: col}
			if row < n-1 {
				p.Down = par.Future[int](c)
			}
			if col < n-1 {
				p.Right = par.Future[int](c)
			}
			visit.New(c, p, up[col].From(), left.From())
			up[col], left = p.Down, p.Right
		}
	}
}

func main() {
	if err := runtime.Run(context.Background(), task.Main(start)); err != nil {
		log.Fatal(err)
	}
}
