package graphtest

import (
	"fmt"
	"slices"
	"sync"
	"sync/atomic"

	"ocr/edt"
	"ocr/guid"
)

// The body of a registered template finds its execution by a number, which is the EDT's last parameter.
var (
	executions sync.Map // by number
	numbered   atomic.Uint64
)

// registered has templates by numbers of parameters and slots, as far as these fit into the record of an EDT;
// registeredAny is for all others.
var (
	registered    = make(map[[2]int]*edt.Template)
	registeredAny *edt.Template
)

func init() {
	registeredAny = edt.NewTemplate("graphtest", edt.Unknown, edt.Unknown, registeredBody)
	for p := range 5 {
		for s := range 5 {
			registered[[2]int{p, s}] = edt.NewTemplate(fmt.Sprintf("graphtest %d %d", p, s), p, s, registeredBody)
		}
	}
}

func registeredBody(c *edt.Ctx, in edt.Args) guid.GUID {
	x, _ := executions.Load(in.Param(len(in.Params()) - 1))
	return x.(*Execution).body(c, in)
}

// params returns the parameters with which a node is created.
func (x *Execution) params(n *Node) []uint64 {
	if n.Registered {
		return append(slices.Clip(n.Params), x.number)
	}
	return n.Params
}

// checkParams checks the parameters that a node has got.
func (x *Execution) checkParams(i int, in edt.Args) {
	if want := x.params(&x.p.Nodes[i]); !slices.Equal(in.Params(), want) {
		x.problem("node %d has parameters %v, want %v", i, in.Params(), want)
	}
}
