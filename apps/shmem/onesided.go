package shmem

import (
	"ocr/datablock/cell"
	"ocr/edt"
)

// oneSided is the [Transport] of windows that are not in one memory, by the algorithms of [memory]. It uses the windows
// of this rank's PEs as memory does, and reaches the others by the calls of an [edt.Window]. Each PE has a stop word.
//
// Concurrency: as in memory a cell has one writer, which stores it by Window.Store; the PE that waits for it polls its
// own window by acquire loads. Store comes after a flush of what the PE has put to that rank, and is complete on
// return: a PE that has read the cell finds what was put before. README.md has the protocol.
type oneSided struct {
	memory  // windows of other ranks are nil
	window  edt.Window
	places  []place // of the PEs' windows
	unfinal []bool  // by rank: something was put that is not flushed
}

// A place is where a PE's window lies in its rank's part of the [edt.Window].
type place struct{ rank, at int }

func newOneSided(s Site) Transport { return oneSidedAt(s) }

func oneSidedAt(s Site) *oneSided {
	l, me, own := s.layout, s.Rank, s.Windows[s.Rank]
	o := &oneSided{
		memory: memory{
			watch: watch{Waiter: s.Wait, stop: word(own, 0), done: s.Done},
			me:    me, layout: l, windows: s.Windows, stages: schedule(l.pes, me),
		},
		window: s.Window, unfinal: make([]bool, (s.PEs+s.perRank-1)/s.perRank),
	}
	o.chunk = chunk{me: me, windows: s.Windows, far: o}
	for pe := range s.PEs {
		o.places = append(o.places, placeOf(pe, s.perRank, len(own)))
	}
	for r := range l.rounds {
		o.in = append(o.in, word(own, l.barrier+spacing*r))
	}
	return o
}

// placeOf returns where the window of a PE is, if each rank has perRank windows of some bytes.
func placeOf(pe, perRank, bytes int) place { return place{pe / perRank, pe % perRank * pad(bytes)} }

func (o *oneSided) isNear(pe int) bool { return o.windows[pe] != nil }

func (o *oneSided) Put(to, dst int, src []byte) {
	if o.isNear(to) {
		o.memory.Put(to, dst, src)
		return
	}
	p := o.places[to]
	o.window.Put(p.rank, p.at+dst, src)
	o.unfinal[p.rank] = true
}

func (o *oneSided) Get(dst []byte, from, src int) {
	if o.isNear(from) {
		o.memory.Get(dst, from, src)
		return
	}
	p := o.places[from]
	o.window.Get(dst, p.rank, p.at+src)
}

func (o *oneSided) PutStrided(to, dst int, src []byte, n, width int, s Strides) {
	if o.isNear(to) {
		o.memory.PutStrided(to, dst, src, n, width, s)
		return
	}
	p := o.places[to]
	o.window.PutStrided(p.rank, p.at+dst, src, n, width, s.Dst, s.Src)
	o.unfinal[p.rank] = true
}

func (o *oneSided) GetStrided(dst []byte, from, src int, n, width int, s Strides) {
	if o.isNear(from) {
		o.memory.GetStrided(dst, from, src, n, width, s)
		return
	}
	p := o.places[from]
	o.window.GetStrided(dst, p.rank, p.at+src, n, width, s.Dst, s.Src)
}

// Signal flushes first: MPI keeps no order of puts.
func (o *oneSided) Signal(to, dst, width int, v uint64) {
	if o.isNear(to) {
		o.memory.Signal(to, dst, width, v)
		return
	}
	p := o.places[to]
	o.flush(p.rank)
	o.window.Store(p.rank, p.at+dst, width, v)
}

func (o *oneSided) Poll(from, at, width int, v uint64) bool {
	if !o.isNear(from) {
		p := o.places[from]
		return o.window.Load(p.rank, p.at+at, width) == v
	}
	if o.memory.Poll(from, at, width, v) {
		return true
	}
	o.window.Progress()
	return false
}

// atLeast returns when a cell of the own window is v or more.
func (o *oneSided) atLeast(p *uint64, v uint64) {
	for polls := 0; !cell.Reach(p, v, pollBurst); polls += pollBurst {
		o.window.Progress()
		polls = pause(&o.Waiter, polls, o.Stopped)
	}
}

func (o *oneSided) Notify(to int) {
	own := o.windows[o.me]
	sent := word(own, o.layout.sent(to))
	*sent++
	o.Signal(to, o.layout.notify+spacing*o.me, 8, *sent)
}

func (o *oneSided) Wait(from int) {
	own := o.windows[o.me]
	received := word(own, o.layout.received(from))
	*received++
	o.atLeast(word(own, o.layout.notify+spacing*from), *received)
}

func (o *oneSided) flush(rank int) {
	if o.unfinal[rank] {
		o.unfinal[rank] = false
		o.window.Flush(rank)
	}
}

func (o *oneSided) Flush() {
	o.memory.Flush()
	for rank := range o.unfinal {
		o.flush(rank)
	}
}

func (o *oneSided) Barrier() {
	o.Flush()
	count := o.private(wordBarriers)
	*count++
	epoch := *count
	for r, in := range o.in {
		o.Signal((o.me+1<<r)%o.layout.pes, o.layout.barrier+spacing*r, 8, epoch)
		o.atLeast(in, epoch)
	}
}

func (o *oneSided) Reduce(e Element, dst, src, n int) {
	bytes := n * e.Size()
	if bytes <= SmallReduction {
		o.reduceSmall(e, dst, src, bytes)
		return
	}
	o.Barrier()
	o.chunk.reduce(e, dst, src, bytes)
	o.Barrier()
}

// reduceSmall is that of memory, with puts and signals over MPI.
func (o *oneSided) reduceSmall(e Element, dst, src, bytes int) {
	epoch, sum := o.beginSmall(dst, src, bytes)
	for k := range o.stages {
		s := &o.stages[k]
		if s.receives >= 0 {
			own, at := o.windows[o.me], o.layout.slot(epoch, s.receives)
			o.atLeast(word(own, at), epoch)
			s.take(e, sum, payload(own, at, bytes))
		}
		if s.sendTo >= 0 {
			at := o.layout.slot(epoch, s.sends)
			o.Put(s.sendTo, payloadAt(at, bytes), sum)
			o.Signal(s.sendTo, at, 8, epoch)
		}
	}
}

// Stopped reports whether the PE is to end.
func (o *oneSided) Stopped() bool {
	select {
	case <-o.done:
		if cell.Load(o.stop) == 0 {
			o.Stop()
		}
	default:
	}
	return cell.Load(o.stop) != 0
}

// Stop also flushes: no put reaches a rank that has left the world.
func (o *oneSided) Stop() {
	for pe := range o.places {
		o.Signal(pe, 0, 8, 1)
	}
}
