package edt

import "sync/atomic"

// A Host is for hosts: it runs the ready EDTs of a graph. Package runtime does so on a
// pool of workers, package edttest one EDT after the other in an order that it chooses.
// The graph knows when an EDT is ready, the host knows how to run it. All that passes
// between them is:
//
//   - before the run: [NewGraph] with a [Config], [Graph.NewWorker] for each worker
//     (or [Graph.Enlist], some of them in the run), [Worker.UseNext]
//   - in the run: [Worker.Own], if its goroutine stays the same; [Graph.Begin]; [Host.Ready] and
//     [Host.Stop]; [Worker.Execute], [Worker.Idle] and [Worker.Recovered]; what the worker does, told
//     to [Worker.Observer]; and Join of the Config
//   - from goroutines that are no workers, for [External] and [Blocking]: Bell and Outside of the Config,
//     then [Worker.Receive]; [Graph.Mail] and [Graph.Expects], without which no run is over
//   - from outside, meanwhile: [Graph.Snapshot], [Graph.WorkerStates], [Graph.Began], [Graph.AskLooks]
//   - with several ranks: [Graph.Passive] before the run is over, [Graph.Leave] after it; [Graph.Deliver] while no
//     worker looks for mail
//   - after the run: [Graph.Ended], [Graph.Stuck], [Graph.Leaks], [Graph.Counters]; last
//     [Graph.Close]
type Host interface {
	// Ready takes an EDT that may run now. It is called on the goroutine of the
	// [Worker] that the host was given to, inside an EDT or at its end.
	Ready(Ready)
	// Stop says that the run is over: shutdown, abort or an error. Workers end
	// after the EDT they run. It may be called from any worker.
	Stop()
}

// A NextSlot is for hosts: where a worker puts an EDT that may run anywhere, has no priority and
// becomes ready, without a call of [Host.Ready]. It does so if the slot is empty.
type NextSlot struct {
	Task *uint64 // the slot, 0 if it is empty; only this worker writes to it
	// Once the EDT is in the slot the worker looks at these, and calls Share if Spinning, or
	// the lower half of Parked, is not 0.
	Parked   *atomic.Uint64
	Spinning *atomic.Int64
	Share    func()
}

// wanted reports whether other workers look for what is in the slot.
func (n *NextSlot) wanted() bool { return uint32(n.Parked.Load()) != 0 || n.Spinning.Load() != 0 }

// alwaysFull is the slot of workers whose host has given none.
var alwaysFull uint64 = 1

// A Ready is for hosts: an EDT that may run, 0 for none.
type Ready uint64

const (
	readyPlaceShift = 32
	readyBefore     = 1 << 48
	readyAfter      = 1 << 49
	readyTurn       = readyBefore | readyAfter
	readyPrioShift  = 56

	neverNext = anywhere | strictBit // no EDT is placed there
)

func (k Ready) index() uint32 { return uint32(k) }

// Place returns where the EDT asked to run.
func (k Ready) Place() Affinity { return Affinity(k >> readyPlaceShift) }

// Priority returns the EDT's priority hint, 0 by default; higher runs earlier.
func (k Ready) Priority() int8 { return int8(k >> readyPrioShift) }

// Where returns place, priority and turn together, 0 for nothing.
func (k Ready) Where() uint32 { return uint32(k >> readyPlaceShift) }

// Placed reports whether the EDT has a placement, a priority or a turn at all.
func (k Ready) Placed() bool { return k.Where() != 0 }

// InTurn reports whether [Ready.Turn] has something to say.
func (k Ready) InTurn() bool { return k&readyTurn != 0 }

// Turn tells the host of the order of EDTs around one that goes on ([Ctx.Again]): the one
// with last true, which comes at the end of a body, should run after all that came in this
// body from the one on with last false. The rest is the EDT without that. A host that does
// not care for the order need not ask.
func (k Ready) Turn() (rest Ready, last bool) { return k &^ readyTurn, k&readyAfter != 0 }

// An Affinity is where an EDT should run: anywhere (the zero value), preferably on
// a worker, or strictly there. [Ctx.Place] and [Ctx.Bind] make one.
type Affinity uint16

const strictBit = 1 << 15

// MaxWorkers is the largest number of workers that an Affinity can tell apart.
const MaxWorkers = strictBit - 1

// PlaceOn prefers a worker: once that worker has taken the EDT up, idle workers may
// still steal it.
func PlaceOn(worker int) Affinity { return Affinity(worker + 1) }

// BindTo is strict: only that worker runs the EDT.
func BindTo(worker int) Affinity { return Affinity(worker+1) | strictBit }

// Worker returns the worker's number, -1 for anywhere.
func (a Affinity) Worker() int { return int(a&^strictBit) - 1 }

// Strict reports whether only that worker may run the EDT.
func (a Affinity) Strict() bool { return a&strictBit != 0 }
