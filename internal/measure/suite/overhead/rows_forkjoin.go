package overhead

import (
	"fmt"
	"sync"
	"sync/atomic"

	"ocr/edt"
	"ocr/guid"
)

func forkJoinRows() []*Row {
	rows := append([]*Row{treeRow(10), treeRow(16)}, fibRows()...)
	return append(rows,
		scopeRow("flat", "a finish EDT that does nothing, one of 1000 side by side in a scope", flatScopes),
		scopeRow("nested", "a finish EDT, one of 1000 each within the one before", nestedScopes))
}

// tree is a node of a binary tree, with the number of levels below it.
var tree *edt.Template

func init() {
	tree = edt.NewTemplate("overhead.tree", 1, 0, func(c *edt.Ctx, in edt.Args) guid.GUID {
		if levels := in.Param(0); levels > 0 {
			c.NewEDT(tree, edt.Params(levels-1))
			c.NewEDT(tree, edt.Params(levels-1))
		}
		return guid.Null
	})
}

func treeRow(depth int) *Row {
	nodes := 2<<depth - 1
	return inScopeRow(fmt.Sprintf("binary-tree/depth=%d", depth),
		"an EDT of a binary tree, each making two, in a finish scope", nodes, tree, depth, ran(nodes-1),
		graphPeer("function-call", nodes, func() int { return callTree(depth) }),
		graphPeer("goroutine-waitgroup", nodes, func() int { return goTree(depth) }))
}

//go:noinline
func callTree(depth int) int {
	if depth == 0 {
		return 1
	}
	return 1 + callTree(depth-1) + callTree(depth-1)
}

func goTree(depth int) int {
	var wait sync.WaitGroup
	var nodes atomic.Int64
	var grow func(depth int)
	grow = func(depth int) {
		nodes.Add(1)
		if depth > 0 {
			wait.Go(func() { grow(depth - 1) })
			wait.Go(func() { grow(depth - 1) })
		}
	}
	wait.Go(func() { grow(depth) })
	wait.Wait()
	return int(nodes.Load())
}

// scopes are the finish EDTs of a scope row.
const scopes = 1000

var flatScopes = edt.NewTemplate("overhead.scopes-flat", 1, 0, func(c *edt.Ctx, in edt.Args) guid.GUID {
	for range in.Param(0) {
		c.Spawn(bare[0], &edt.Spec{Finish: true})
	}
	return guid.Null
})

var nestedScopes *edt.Template

func init() {
	nestedScopes = edt.NewTemplate("overhead.scopes-nested", 1, 0, func(c *edt.Ctx, in edt.Args) guid.GUID {
		if left := in.Param(0); left > 0 {
			c.Spawn(nestedScopes, &edt.Spec{Params: edt.Params(left - 1), Finish: true})
		}
		return guid.Null
	})
}

// scopeRow runs finish EDTs in a scope.
func scopeRow(shape, what string, t *edt.Template) *Row {
	return inScopeRow("finish-scope/shape="+shape, what, scopes, t, scopes, ran(scopes),
		graphPeer("goroutine-waitgroup", scopes, waitGroups))
}

// waitGroups waits for single goroutines, each with a WaitGroup of its own.
func waitGroups() (sum int) {
	for range scopes {
		var wait sync.WaitGroup
		wait.Go(func() { sum++ })
		wait.Wait()
	}
	return sum
}
