package hello

import (
	"fmt"
	"io"

	"ocr/datablock"
	"ocr/edt"
	"ocr/guid"
)

// The slots of a greet EDT.
const (
	slotName = iota // the block with the name
	slotTurn        // the sticky event that says it is this EDT's turn
	numSlots
)

// New returns the main EDT of a program that writes a line to w for each of its
// arguments behind the first, which is the program's name; without any it greets
// the world.
//
// Greetings are in the order of the arguments, because each greet EDT waits for an
// event that is the output event of the one before. The run ends when the last
// has ended: nothing is left to run.
func New(w io.Writer) edt.Func {
	return func(c *edt.Ctx, in edt.Args) guid.GUID {
		names := []string{"world"}
		if argv := edt.Argv(in.Dep(0)); len(argv) > 1 {
			names = argv[1:]
		}

		// The body is a closure over w, so the template belongs to this run.
		greet := c.NewTemplate("greet", 3, numSlots, greeter(w))
		start := c.NewEvent(edt.Sticky)
		turn := start
		for k, name := range names {
			block, bytes := c.NewBlock(len(name) + 1)
			copy(bytes, name+"\n")
			c.Release(block)

			next := guid.Null
			if k < len(names)-1 {
				next = c.NewEvent(edt.Sticky)
			}
			hi, lo := turn.Words()
			c.Spawn(greet, &edt.Spec{
				Params:      edt.Params(uint64(k+1), hi, lo),
				Deps:        []edt.Source{edt.From(block, datablock.RO), edt.From(turn, datablock.Null)},
				OutputEvent: next,
			})
			turn = next
		}
		c.DestroyTemplate(greet)
		c.Satisfy(start, guid.Null)
		return guid.Null
	}
}

// greeter returns the body of greet. Its parameters are the number of the greeting
// and the GUID of the event that it waits for; it destroys that, and the name.
func greeter(w io.Writer) edt.Func {
	return func(c *edt.Ctx, in edt.Args) guid.GUID {
		name := in.Dep(slotName)
		fmt.Fprintf(w, "%d: hello, %s", in.Param(0), name.Bytes())
		c.DestroyBlock(name.GUID())
		c.DestroyEvent(guid.FromWords(in.Param(1), in.Param(2)))
		return guid.Null
	}
}
