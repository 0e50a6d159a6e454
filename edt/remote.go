package edt

import (
	"ocr/datablock"
	"ocr/guid"
	"ocr/internal/core/block"
	"ocr/internal/core/window"
)

// This file is for hosts of several ranks and for package internal/rank/remote: what this rank asks of other ranks.
// home.go has what other ranks ask of this rank. The high word of a GUID says on which rank the object lives. If the
// word is not that of this rank's objects, a call asks isRemote.

// Ranks makes a graph one rank of several. The workers of all ranks are numbered together, those of rank 0 first; each
// rank has the same number of workers.
type Ranks struct {
	// Join is called before the run, and returns the Remote.
	Join       func(courier Home) Remote
	Rank, Size int // this rank, and how many there are
	// Run is the random bits of the run's GUIDs, the same on all ranks.
	Run uint32
	// Beside is another rank in the same process, with which this rank shares the templates of the run; nil for none.
	// It must not have begun.
	Beside *Graph
	// Window is what [Ctx.Window] returns.
	Window Window
	// Spread chooses the rank of an EDT that is placed nowhere; nil is the rank of its creator.
	Spread func() int
}

// A Remote sends the calls of a rank on objects of other ranks to their homes, and carries out the calls of other
// ranks. Argument c is the Ctx of the EDT that makes the call, or the courier (see [Home]).
type Remote interface {
	// Send has a rank carry out an act. Ask does so too, and returns what the act returns.
	Send(c *Ctx, to int, a Act)
	Ask(c *Ctx, to int, a Act) guid.GUID
	// Create creates an EDT on a rank, and returns its name.
	Create(c *Ctx, to int, e *RemoteEDT) guid.GUID

	// Word returns the low GUID word of the block's proxy, by which EDTs here know a block of another rank; Name is the
	// inverse, also for blocks of this rank and for proxies that are freed.
	Word(c *Ctx, block guid.GUID) uint64
	Name(word uint64) guid.GUID
	// Want asks the home for a block, or recalls a block that is lent: an EDT or a rank waits for it. Granted sends a
	// block to the rank to which it was granted, or from a proxy back to the home.
	Want(c *Ctx, word uint64)
	Granted(c *Ctx, w block.Waiter)
	// DestroyShared destroys a block of this rank if other ranks know it. It reports false if no other rank does.
	DestroyShared(c *Ctx, id guid.GUID) bool
	// Destroyed reports whether this rank knows that a block, whose record is still in use, is destroyed.
	Destroyed(word uint64) bool

	// Poll handles at most budget messages that have arrived, and sends messages that were held back. While an EDT waits
	// for a message, Wait is called again and again, with a count from 0 on. Arrived reports whether messages have
	// arrived, Held whether messages to other ranks are held back.
	Poll(budget int)
	Wait(c *Ctx, n int)
	Arrived() bool
	Held() bool
	// Passive says that this rank has nothing to do, see [Graph.Passive]; Leave takes it out of the run, see
	// [Graph.Leave].
	Passive() (over bool)
	Leave() (done bool)
	// TellEnd tells other ranks that the host of this rank has stopped, and how the run was ended here, if it was.
	TellEnd()
}

// An Act is a call that a rank makes on an object of another one.
type Act struct {
	Kind  ActKind
	On    guid.GUID
	With  guid.GUID    // the source of a dependence, or a block; of ActReturn the proxy
	Slot  RemoteSlot   // the slot; of ActReturn the number of tokens, of ActNewBlock the worker, of ActNewEvent the type
	Lanes []RemoteLane // of ActReturn
}

// An ActKind says what is done. The home of the object carries an act out by [Home.Do].
type ActKind uint8

// Acts that return nothing: [Remote.Send].
const (
	ActDepend  ActKind = iota + 1 // connects With to On: at the home of With if With is an event
	ActFill                       // fills a slot of the EDT: the event for which it waited has triggered
	ActSatisfy                    // satisfies an event
	ActDestroy                    // destroys an object
	ActReturn                     // returns tokens and lanes to a scope, for which the proxy With stood
)

// Acts that return something: [Remote.Ask].
const (
	ActExists    ActKind = iota + 16 // not Null if the object is alive
	ActEventType                     // the type as the low word
	ActNewBlock                      // a new block; the low word of On is its size
	ActNewEvent                      // a new event; the low word of On is its count
)

// A RemoteEDT is an EDT that is to be created on another rank. In its Spec, Output says that the runtime has made
// OutputEvent, Finish whether the EDT opens a scope there, and the Affinity has a worker's number on that rank.
type RemoteEDT struct {
	Spec
	Template uint32 // its index
	Slots    int
	Scope    uint64       // low GUID word of the finish scope of which it has a token, 0 for none
	Memory   []RemoteLane // of the scopes around it
}

// A RemoteLane is a lane of scope memory on its way to another rank.
type RemoteLane struct {
	Owner uint64
	Lane  []byte
}

// A RemoteSlot is a slot of an object on another rank: its number, its mode if the object is an EDT, and what the
// caller knows of the object.
type RemoteSlot uint64

const (
	slotModeAt              = 24
	slotPassed   RemoteSlot = 1 << 27 // an event passes the satisfaction on
	slotOfFinish RemoteSlot = 1 << 28 // the object is the output event of a finish scope
	slotIsLost   RemoteSlot = 1 << 29 // the event With was destroyed before it triggered
	slotForward  RemoteSlot = 1 << 30 // the object is an output event; the event that has triggered stands for it
)

// Number returns the number of the slot, Mode the mode in which its EDT will access the block.
func (s RemoteSlot) Number() int          { return int(s & (1<<slotModeAt - 1)) }
func (s RemoteSlot) Mode() datablock.Mode { return datablock.Mode(s >> slotModeAt & 7) }

func remoteSlot(n int, m datablock.Mode) RemoteSlot { return RemoteSlot(n) | RemoteSlot(m)<<slotModeAt }

// number returns a number in the form of a GUID, for an [Act].
func number(n uint64) guid.GUID { return guid.FromWords(0, n) }

// A Window is memory of every rank, which EDTs of other ranks write and read by calls.
type Window = window.Window

// Window returns the memory through which EDTs of different ranks exchange words while they run. It is nil with one
// rank, where EDTs use a data block, and if the host has given no window (runtime.Window). It is valid until the run
// ends.
func (c *Ctx) Window() Window {
	if c.g.ranks == nil {
		return nil
	}
	return c.g.ranks.Window
}
