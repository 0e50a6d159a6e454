package uts

import (
	"context"
	"crypto/sha1"
	"encoding/binary"
	"math"
)

// A Node is one node of a tree: its hash, in three words, and its depth. Go passes it in registers.
type Node struct {
	H0, H1 uint64
	H2     uint64 // 32 bits
	Depth  uint64
}

// hashed returns the node whose hash is the SHA-1 of these bytes.
func hashed(depth uint64, bytes []byte) Node {
	h := sha1.Sum(bytes)
	return Node{
		binary.BigEndian.Uint64(h[0:]), binary.BigEndian.Uint64(h[8:]), uint64(binary.BigEndian.Uint32(h[16:])), depth,
	}
}

// A Tree determines how many children its nodes have.
type Tree struct {
	Scale  float64 // 1/ln(1-p); p is the geometric distribution's parameter
	Depth  uint64  // nodes at this depth have no children
	Cutoff uint64  // a node at this depth is an EDT that walks its whole subtree
}

// maxChildren is the benchmark's bound.
const maxChildren = 100

func root(seed int) Node {
	var b [sha1.Size]byte
	binary.BigEndian.PutUint32(b[16:], uint32(seed))
	return hashed(0, b[:])
}

// children returns how many children a node has: the inverse of the geometric distribution at a number in [0,1), which
// is made of the end of the hash.
func (t *Tree) children(n Node) int {
	if n.Depth >= t.Depth {
		return 0
	}
	u := float64(n.H2&math.MaxInt32) / (1 << 31)
	return int(min(math.Log(1-u)*t.Scale, maxChildren))
}

func (n Node) child(i int) Node {
	var b [sha1.Size + 4]byte
	binary.BigEndian.PutUint64(b[0:], n.H0)
	binary.BigEndian.PutUint64(b[8:], n.H1)
	binary.BigEndian.PutUint32(b[16:], uint32(n.H2))
	binary.BigEndian.PutUint32(b[20:], uint32(i))
	return hashed(n.Depth+1, b[:])
}

// Counts are the result of a search.
type Counts struct {
	Nodes, Leaves, Deepest uint64
}

// note counts a node with this number of children.
func (c *Counts) note(n Node, children int) {
	c.Nodes++
	if children == 0 {
		c.Leaves++
	}
	c.Deepest = max(c.Deepest, n.Depth)
}

func (c *Counts) add(d Counts) {
	*c = Counts{c.Nodes + d.Nodes, c.Leaves + d.Leaves, max(c.Deepest, d.Deepest)}
}

// visit counts a node, and returns how many children it has. When it sees that the context is done, it ends the tree:
// from then on no node has children.
func (t *Tree) visit(ctx context.Context, n Node, c *Counts) (children int) {
	children = t.children(n)
	if c.note(n, children); c.Nodes%asked == 0 && ctx.Err() != nil {
		t.Depth = 0
		return 0
	}
	return children
}

// asked is the number of nodes after which visit looks at the context again: some ten milliseconds.
const asked = 1 << 16

func (t *Tree) walk(ctx context.Context, n Node, c *Counts) {
	children := t.visit(ctx, n, c)
	for i := range children {
		child := n.child(i)
		t.walk(ctx, child, c)
	}
}
