package edt

import "ocr/internal/core/word"

// A Host is for hosts: it runs the ready EDTs of a graph. Package runtime does so on a
// pool of workers, package edttest one EDT after the other in an order that it chooses.
// The graph decides when an EDT is ready, the host where and when it runs. These are all
// calls between them:
//
//   - before the run: [NewGraph] with a [Config], [Graph.NewWorker] for each worker
//     (or [Graph.Enlist], some of them in the run), [Worker.UseNext]
//   - in the run: [Worker.Own], if its goroutine stays the same; [Graph.Begin]; [Host.Ready] and
//     [Host.Stop]; [Worker.Execute], [Worker.Idle] and [Worker.Recovered]; reports to
//     [Worker.Observer]; and Join of the Config
//   - for [External] and [Blocking], from goroutines that are not workers: Bell and Outside of the Config,
//     then [Worker.Receive]; the run is over only when [Graph.Mail] and [Graph.Expects] are false
//   - from outside, during the run: [Graph.Began], [Graph.Created], [Graph.Running]; while no worker is in a call,
//     [Graph.Snapshot]
//   - with several ranks: [Graph.Passive] before the run is over, [Graph.Leave] after it; [Graph.Deliver] while no
//     worker looks for mail
//   - after the run: [Graph.Ended], [Graph.Cancelled], [Graph.Stuck], [Graph.Leaks], [Graph.Counters]; last
//     [Graph.Close]
type Host interface {
	// Ready takes an EDT that may run now. The [Worker] that this Host was given
	// to calls it on its goroutine, inside an EDT or at its end.
	Ready(Ready)
	// Stop ends the run: shutdown, abort or an error. Each worker ends after
	// the EDT that it runs. Any worker may call Stop.
	Stop()
}

// A NextSlot is for hosts: if it is empty, the worker stores an EDT that becomes ready in it, instead
// of calling [Host.Ready]. The EDT may run anywhere and has no priority.
type NextSlot struct {
	EDT *word.Uint64 // the slot, 0 if it is empty; only this worker writes to it
	// After storing the EDT, the worker calls Share if Spinning, or the lower half of
	// Parked, is not 0.
	Parked   *word.Uint64
	Spinning *word.Int64
	Share    func()
}

// wanted reports whether other workers search for an EDT, or are parked.
func (n *NextSlot) wanted() bool {
	return uint64(uint32(n.Parked.Load()))|uint64(n.Spinning.Load()) != 0
}

// alwaysFull is the slot of workers without [Worker.UseNext].
var alwaysFull = func() (w word.Uint64) {
	w.Init(1)
	return w
}()

// A Ready is for hosts: an EDT that may run, 0 for none.
type Ready uint64

const (
	readyPlaceShift = 32
	readyPrioShift  = 48
	// Bit 63 is free: a host may use it.
)

func (k Ready) index() uint32 { return uint32(k) }

// Place returns where the EDT asked to run.
func (k Ready) Place() Affinity { return Affinity(k >> readyPlaceShift) }

// Priority returns the EDT's priority hint, 0 by default; higher runs earlier.
func (k Ready) Priority() int8 { return int8(k >> readyPrioShift) }

// Where returns place and priority in one word, 0 for none of them.
func (k Ready) Where() uint32 { return uint32(k >> readyPlaceShift) }

// Placed reports whether the EDT has a placement or a priority at all.
func (k Ready) Placed() bool { return k.Where() != 0 }

// An Affinity says where an EDT runs: anywhere (the zero value), preferably on a
// worker, or only there. [Ctx.Place] and [Ctx.Bind] make one.
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
