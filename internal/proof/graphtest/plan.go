package graphtest

import (
	"ocr/datablock"
	"ocr/edt"
)

// A Plan is a random graph. Objects are referred to by their index in its lists.
type Plan struct {
	Seed    uint64
	Without Feature // left out
	Nodes   []Node
	Events  []Event
	Blocks  []Block
}

const none = -1

// A Node is an EDT that runs.
type Node struct {
	Parent int // the node that creates it; none for the root
	End    int // one past its last descendant
	Params []uint64
	Slots  []Slot
	Gated  bool
	Rehint bool // its hint is set later, while it waits at its gate

	Finish  bool
	Out     int // the event that is its output event, or none
	Returns int // an event that it returns, or none

	Place    Placing
	Worker   int // modulo the number of workers
	Priority int8
	OwnMade  bool // from a template of its own, which its creator destroys at once

	Registered bool // from a registered template

	// What its body does, in this order.
	Destroys []int // events that it waited for
	Events   []int
	Blocks   []int
	Children []int
	Victims  []Victim
	Scenes   []Scene
	Wires    []Wire // slots of siblings that it connects
	Links    []Link
	Calls    []Call

	Rounds []Round
}

// Placing says what a node's affinity is.
type Placing uint8

const (
	anywhere Placing = iota
	placed
	bound
)

// A Slot is one slot of a node, and the source of its dependence.
type Slot struct {
	Kind  SlotKind
	ID    int // of the block or event
	Mode  datablock.Mode
	Wired Wiring
	Give  Giving

	// Found in the end:
	Payload Payload // what the slot is satisfied with
	First   bool    // the first slot of the node with this block
	Word    int     // the word that the node writes, if the block is of kind words
	Consume bool    // the node destroys the block
}

// SlotKind is the kind of a slot's source.
type SlotKind uint8

const (
	fromNull SlotKind = iota
	fromBlock
	fromEvent
	fromGate
)

// Giving says when a node releases the block of a slot.
type Giving uint8

const (
	giveAtEnd  Giving = iota
	giveEarly         // in the middle of the body
	giveWrites        // in the middle of the body it downgrades its hold
	giveTwice         // both
	numGiving  = 4
)

// Wiring says which EDT connects a slot, and how.
type Wiring uint8

const (
	listed  Wiring = iota // in the dependence list at creation
	added                 // by the creator, with AddDependence
	sibling               // by an EDT that the creator creates later
)

// A Payload is the block, if any, with which an event, and so each slot that waits for the event, is satisfied.
type Payload struct {
	Kind  PayloadKind
	Block int // shared block
	Event int // private: the event that the block is made for
	Maker int // private: the node that makes it
}

// PayloadKind says whether there is a block, and which node makes it.
type PayloadKind uint8

const (
	empty   PayloadKind = iota
	shared              // a block of the plan
	private             // a block that the node which satisfies the event makes
)

// An Event is an event of the plan. If Own is set, the runtime makes it, as the output event of node Output.
type Event struct {
	Type    edt.EventType
	Own     bool
	Owner   int
	After   int // nodes that wait for it have at least this number
	Payload Payload
	Output  int   // the node whose output event it is, or none
	Fed     bool  // another event satisfies it
	Callers []int // nodes that satisfy it by calls
	Decrs   int   // latch: how often it is counted down
	Incrs   int   // latch: how often its creator counts it up first

	Unbounded bool // channel

	// Found in the end:
	Uses        int // dependences on it
	Returned    bool
	DestroyedBy int // the node that destroys it; none: its trigger does, or the last EDT
}

// A Block is a shared block.
type Block struct {
	Owner int
	Kind  BlockKind
	Words int
	Let   Letting
}

// BlockKind says what EDTs do with a shared block.
type BlockKind uint8

const (
	table BlockKind = iota // all nodes read it
	words                  // each node writes its own word
	tally                  // each node adds to it, in mode EW
)

// Letting says how the creator gives up its hold of a block.
type Letting uint8

const (
	release Letting = iota
	downgrade
	keep       // the creator holds it until the creator ends
	noAcquire  // the creator never holds it; only for kind words
	numLetting = 4
)

// A Wire is a slot of a node.
type Wire struct{ Node, Slot int }

// A Link makes a slot of event To wait for event From.
type Link struct{ From, To, Slot int }

// A Call satisfies an event.
type Call struct {
	Event, Slot int
	Depend      bool // by AddDependence from the block or from Null
	Block       int  // a block for a latch, which ignores it; or none
}

// A Victim is an EDT that is destroyed before it can run.
type Victim struct {
	Slots          int // all open
	Output, Finish bool
	AtOnce         bool // destroyed right after its creation; else after the creator's calls
}

func (p *Plan) within(a, b int) bool { return a <= b && b < p.Nodes[a].End }

// persistent reports whether only a call destroys the event.
func (e *Event) persistent() bool {
	return e.Type == edt.Sticky || e.Type == edt.Idempotent || e.Type == edt.Channel
}

// early reports whether the event must have its dependences before it triggers.
func (e *Event) early() bool { return e.Type == edt.Once || e.Type == edt.Latch }
