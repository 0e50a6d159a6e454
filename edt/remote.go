package edt

import (
	"ocr/datablock"
	"ocr/guid"
	"ocr/internal/core/block"
	"ocr/internal/core/window"
)

// This file is for hosts of several ranks and for package internal/rank/remote: what a graph asks of the other ranks.
// home.go has what they ask of it.

// Ranks makes a graph one rank of several. The workers of all ranks are numbered together, those of rank 0 first; each
// rank has as many.
type Ranks struct {
	Remote     Remote
	Rank, Size int // this rank, and how many there are
	// Run is the random bits of the run's GUIDs, the same on all ranks.
	Run uint32
	// Beside is another rank in the same process, whose templates of the run itself are known here too; nil
	// for none. It must not have begun.
	Beside *Graph
	// Window is what [Ctx.Window] returns.
	Window Window
	// Spread chooses the rank of an EDT that is placed nowhere; nil is the rank of its creator.
	Spread func() int
}

// A Remote sends the calls of a rank on objects of other ranks to their homes, and carries out the calls of other
// ranks. c is the context of the call: of the EDT that makes it, or the courier's (see [Home]).
type Remote interface {
	// Start is called before the run.
	Start(courier Home)

	// Create creates an EDT on a rank, and returns its name.
	Create(c *Ctx, to int, e *RemoteEDT) guid.GUID
	// NewEvent creates an event on a rank.
	NewEvent(c *Ctx, to int, t EventType, count int64) guid.GUID
	// NewBlock creates a block on the rank of a worker.
	NewBlock(c *Ctx, op string, size int, near Affinity) guid.GUID
	// Depend has a rank, the home of source or of dst, carry out [Ctx.AddDependence].
	Depend(c *Ctx, to int, source, dst guid.GUID, s RemoteSlot)
	// Satisfy satisfies an event of another rank. Fill fills a slot there, or marks its event as lost; block names
	// that.
	Satisfy(c *Ctx, event, block guid.GUID, s RemoteSlot)
	Fill(c *Ctx, edt, block guid.GUID, s RemoteSlot)
	// Destroy destroys an object of another rank.
	Destroy(c *Ctx, g guid.GUID)
	// Exists and EventType ask the home of an object. They wait for the answer.
	Exists(c *Ctx, g guid.GUID) bool
	EventType(c *Ctx, op string, g guid.GUID) EventType
	// ReturnTokens returns tokens, and what EDTs have added to scope memory, to a rank's scope, for which a proxy here
	// stood.
	ReturnTokens(c *Ctx, to int, scope uint64, proxy uint32, tokens int64, memory []RemoteLane)

	// Word returns the low GUID word of the block's proxy, by which EDTs here know a block of another rank; Name is the
	// inverse, also for blocks of this rank and for proxies that are freed.
	Word(c *Ctx, block guid.GUID) uint64
	Name(word uint64) guid.GUID
	// Want says that an EDT, or a rank, waits for a block that is lent or not here. Granted goes on for a rank that has
	// got a block.
	Want(c *Ctx, word uint64)
	Granted(c *Ctx, w block.Waiter)
	// DestroyShared destroys a block of this rank if others know it. It reports false if none does.
	DestroyShared(c *Ctx, id guid.GUID) bool
	// Destroyed reports whether a block is destroyed, as far as this rank knows, though its record is still in use.
	Destroyed(word uint64) bool

	// Poll handles messages that have arrived, at most budget of them, and sends those that were held back. Wait is
	// called again and again, with a count from 0 on, while an EDT waits for a message. Arrived reports whether there
	// are messages to handle, Held whether some are held back.
	Poll(budget int)
	Wait(c *Ctx, n int)
	Arrived() bool
	Held() bool
	// Passive says that this rank has nothing to do, see [Graph.Passive]; Leave takes it out of the run, see
	// [Graph.Leave].
	Passive() (over bool)
	Leave() (done bool)
}

// A RemoteEDT is an EDT that is to be created on another rank.
type RemoteEDT struct {
	Template uint32   // its index
	Place    Affinity // as its rank numbers its own workers
	Priority int8
	Slots    int
	Params   []uint64
	Sources  []RemoteSource
	Output   guid.GUID // Null for none
	Finish   bool
	Own      bool         // the runtime has made the output event
	Scope    uint64       // low GUID word of the finish scope in which it counts, 0 for none; it has a token of that
	Memory   []RemoteLane // of the scopes around it
}

// A RemoteSource is a block, or Null, on a slot of an EDT that is created.
type RemoteSource struct {
	Slot  int
	Mode  datablock.Mode
	Block guid.GUID
}

// A RemoteSlot is a slot of an object on another rank: its number, for an EDT's the mode, and what the caller knows of
// the object.
type RemoteSlot uint64

const (
	slotModeAt              = 24
	slotPassed   RemoteSlot = 1 << 27 // an event passes this on
	slotOfFinish RemoteSlot = 1 << 28 // of an output event: it is a finish scope's
	slotIsLost   RemoteSlot = 1 << 29 // the event has gone
	slotForward  RemoteSlot = 1 << 30 // the object is an output event, for which the one that has triggered stands
	slotOwn      RemoteSlot = 1 << 31 // which the runtime has made
)

// Number returns the number of the slot, Mode the mode in which its EDT will access the block.
func (s RemoteSlot) Number() int          { return int(s & (1<<slotModeAt - 1)) }
func (s RemoteSlot) Mode() datablock.Mode { return datablock.Mode(s >> slotModeAt & 7) }

func remoteSlot(n int, m datablock.Mode) RemoteSlot { return RemoteSlot(n) | RemoteSlot(m)<<slotModeAt }

// A Window is memory of every rank that EDTs of other ranks put to and get from by calls.
type Window = window.Window

// Window returns what EDTs use that exchange words with those of other ranks while they run: nil with one rank, where a
// data block serves, or if the host of the run has given no window (runtime.Window). It is valid until the run ends.
func (c *Ctx) Window() Window {
	if c.g.away == nil {
		return nil
	}
	return c.g.away.Window
}

// Passive says that nothing is ready and all workers rest, that there is no mail and none is expected: it reports
// whether the run is over. With several ranks it may be over later, and [Host.Stop] is called then; the host waits for
// mail. It calls Passive again when it has handled some and nothing is ready again.
func (g *Graph) Passive() (over bool) {
	r := g.away
	if r == nil {
		return true
	}
	if !g.mail.courier.take() {
		return false
	}
	defer g.mail.courier.leave()
	return r.Remote.Passive()
}

// Leave takes the graph out of the run, after its host has stopped and every worker has ended: it goes on with that,
// and reports whether it is done. The host calls it again, and waits in between for mail. After that the graph of rank
// 0 speaks for all: [Graph.Ended], [Graph.Counters], [Graph.Leaks] and [Graph.Stuck].
func (g *Graph) Leave() (done bool) {
	r := g.away
	if r == nil {
		return true
	}
	if !g.mail.courier.take() {
		return false
	}
	defer g.mail.courier.leave()
	r.courier.host = noHost{}
	return r.Remote.Leave()
}

// Deliver handles messages of other ranks on a goroutine that is no worker, while workers have no time for it. What
// they make ready goes to h. It does nothing if another goroutine is at it.
func (g *Graph) Deliver(h Host) {
	if !g.mail.courier.take() {
		return
	}
	defer g.mail.courier.leave()
	defer func() {
		if v := recover(); v != nil {
			g.away.worker.Recovered(v)
			h.Stop()
		}
	}()
	g.away.courier.host = h
	g.away.Remote.Poll(receiveBatch)
}

// poll handles messages that have arrived, at most budget of them; the EDTs that they make ready go to h. It does
// nothing if another worker is at it. A message that panics is handled, and what has come behind it waits for the next
// call.
func (g *Graph) poll(h Host, budget int) {
	if !g.mail.courier.take() {
		return
	}
	defer g.mail.courier.leave()
	g.away.courier.host = h
	g.away.Remote.Poll(budget)
}
