package trace_test

import (
	"ocr/datablock"
	"ocr/edt"
	"ocr/guid"
)

// programs make n EDTs each, besides main.
var programs = map[string]func(n int) edt.Func{
	// Each EDT creates the next.
	"chain": func(n int) edt.Func {
		return func(c *edt.Ctx, _ edt.Args) guid.GUID {
			c.NewEDT(link, edt.Params(uint64(n-1)))
			return guid.Null
		}
	},
	// Each EDT creates the next, with an event, and satisfies the event.
	"events": func(n int) edt.Func {
		return func(c *edt.Ctx, _ edt.Args) guid.GUID {
			c.NewEDT(relay, edt.Params(uint64(n-1)), edt.From(guid.Null, datablock.Null))
			return guid.Null
		}
	},
	// Main creates all EDTs.
	"fan-out": func(n int) edt.Func {
		return func(c *edt.Ctx, _ edt.Args) guid.GUID {
			for range n {
				c.NewEDT(leaf, nil)
			}
			return guid.Null
		}
	},
}

var (
	leaf  = edt.NewTemplate("trace.leaf", 0, 0, func(*edt.Ctx, edt.Args) guid.GUID { return guid.Null })
	link  *edt.Template
	relay *edt.Template
)

func init() {
	link = edt.NewTemplate("trace.link", 1, 0, func(c *edt.Ctx, in edt.Args) guid.GUID {
		if n := in.Param(0); n > 0 {
			c.NewEDT(link, edt.Params(n-1))
		}
		return guid.Null
	})
	relay = edt.NewTemplate("trace.relay", 1, 1, func(c *edt.Ctx, in edt.Args) guid.GUID {
		if n := in.Param(0); n > 0 {
			once := c.NewEvent(edt.Once)
			c.NewEDT(relay, edt.Params(n-1), edt.From(once, datablock.Null))
			c.Satisfy(once, guid.Null)
		}
		return guid.Null
	})
}
