package graphtest

import (
	"ocr/datablock"
	"ocr/edt"
)

// A Plan is a random graph. Objects are named by their index in its lists.
type Plan struct {
	Seed   uint64
	Nodes  []Node
	Events []Event
	Blocks []Block

	without Feature
}

const none = -1

// A Node is an EDT that runs.
type Node struct {
	Parent int // the node that creates it; none for the root
	End    int // one past its last descendant
	Params []uint64
	Slots  []Slot
	Gated  bool
	Rehint bool // its hint is set while it waits at its gate

	Finish  bool
	Out     int // the event that is its output event, or none
	Returns int // an event that it returns, or none

	Place    Placing
	Worker   int // to be taken modulo the number of workers
	Priority int8
	OwnMade  bool // from a template of its own, destroyed right after

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

// Placing says how a node's affinity is chosen.
type Placing uint8

const (
	anywhere Placing = iota
	placed
	bound
)

// A Slot is one slot of a node, and what its dependence is on.
type Slot struct {
	Kind  SlotKind
	ID    int // of the block or event
	Mode  datablock.Mode
	Wired Wiring
	Give  Giving

	// Found in the end:
	Payload Payload // what comes
	First   bool    // the first slot of the node with this block
	Word    int     // of a words block: the word that the node writes
	Consume bool    // the node destroys the block
}

// SlotKind says what the source of a slot is.
type SlotKind uint8

const (
	fromNull SlotKind = iota
	fromBlock
	fromEvent
	fromGate
)

// Giving says when a node gives up the block that came on a slot.
type Giving uint8

const (
	giveAtEnd  Giving = iota
	giveEarly         // in mid-body
	giveWrites        // in mid-body it downgrades its hold
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

// A Payload is what an event carries, or what comes on a slot.
type Payload struct {
	Kind  PayloadKind
	Block int // shared block
	Event int // private: the event that the block is made for
	Maker int // private: the node that makes it
}

// PayloadKind says whether there is a block, and whose.
type PayloadKind uint8

const (
	empty   PayloadKind = iota
	shared              // a block of the plan
	private             // a block that the satisfier makes
)

// An Event of the plan. Own events are made by the runtime, as the output event of node Output.
type Event struct {
	Type    edt.EventType
	Own     bool
	Owner   int
	After   int // dependent nodes are numbered from here on
	Payload Payload
	Output  int   // the node whose output event it is, or none
	Fed     bool  // by another event
	Callers []int // nodes that satisfy it by calls
	Decrs   int   // latch: how often it is counted down
	Incrs   int   // latch: how often its creator counts it up first

	Unbounded bool // channel

	// Found in the end:
	Uses        int // dependences on it
	Returned    bool
	DestroyedBy int // none: by itself or by the sweeper
}

// A Block is a shared block, in one of the ways in which EDTs can share one.
type Block struct {
	Owner int
	Kind  BlockKind
	Words int
	Let   Letting
}

// BlockKind says what EDTs do with a shared block.
type BlockKind uint8

const (
	table BlockKind = iota // all read it
	words                  // each writes a word
	tally                  // each adds to it, in mode EW
)

// Letting says how the creator gives a block up.
type Letting uint8

const (
	release Letting = iota
	downgrade
	keep       // until it ends
	noAcquire  // never has it; words blocks only
	numLetting = 4
)

// A Wire is one slot of a node.
type Wire struct{ Node, Slot int }

// A Link makes a slot of event To wait for event From.
type Link struct{ From, To, Slot int }

// A Call satisfies an event.
type Call struct {
	Event, Slot int
	Depend      bool // by AddDependence from the block or from Null
	Block       int  // a block for a latch, which takes none; or none
}

// A Victim is an EDT that is destroyed before it can run.
type Victim struct {
	Slots          int // all open
	Output, Finish bool
	AtOnce         bool // destroyed before the creator's other acts
}

func (p *Plan) within(a, b int) bool { return a <= b && b < p.Nodes[a].End }

// persistent reports whether an event must be destroyed by a call.
func (e *Event) persistent() bool {
	return e.Type == edt.Sticky || e.Type == edt.Idempotent || e.Type == edt.Channel
}

// early reports whether an event needs its dependences before it triggers.
func (e *Event) early() bool { return e.Type == edt.Once || e.Type == edt.Latch }
