package edt

// A Host runs ready EDTs: package runtime on a pool of workers, package edttest
// one after the other in an order drawn from a seed. The graph knows when an EDT
// is ready, the host knows how to run it; nothing else passes between them.
type Host interface {
	// Ready takes an EDT that may run now. It is called by the worker whose
	// [Ctx] the host was given to, from inside an EDT or at its end.
	Ready(Task)
	// Stop says that the run is over: shutdown, abort or an error. Workers end
	// after the EDT they run. It may be called from any worker.
	Stop()
}

// A Task is a ready EDT on its way through a host.
type Task uint64

const (
	taskPlaceShift = 32
	taskPrioShift  = 56
)

func (k Task) index() uint32 { return uint32(k) }

// Place returns where the EDT asked to run.
func (k Task) Place() Affinity { return Affinity(k >> taskPlaceShift) }

// Priority returns the EDT's priority hint, 0 by default; higher runs earlier.
func (k Task) Priority() int8 { return int8(k >> taskPrioShift) }

// Placed reports whether the EDT has a placement or a priority at all.
func (k Task) Placed() bool { return k>>taskPlaceShift != 0 }

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
