package shmem

import (
	"sync/atomic"
	"unsafe"

	"ocr/datablock/cell"
)

// memory is the [Transport] of windows in memory: all PEs' blocks, held in RW mode.
//
// Concurrency: payload is copied by plain loads and stores. It is published by a release store of a cell (Signal,
// Barrier, Reduce), or by the caller's Flush and what orders PEs after it, and received by an acquire load of that
// cell. A cell has one writer: the PE that it is for, or, of the own private words, the owner.
type memory struct {
	watch
	me      int
	layout  *layout
	windows [][]byte

	out, in []*uint64 // barrier cells: the partners', the own
	links   []link    // notifications to and from each PE
	stages  []stage   // of small reductions
	chunk   chunk     // of large ones
}

// NewMemory is the Transport of windows that are all in memory: that of a [Config] without one.
func NewMemory(s Site) Transport {
	l, me, windows := s.layout, s.Rank, s.Windows
	m := &memory{
		watch: watch{Waiter: s.Wait, stop: word(windows[0], 0), done: s.Done},
		me:    me, layout: l, windows: windows, stages: schedule(l.pes, me), chunk: chunk{me: me, windows: windows},
	}
	for r := range l.rounds {
		cell := l.barrier + spacing*r
		to := (me + 1<<r) % l.pes
		m.out = append(m.out, word(windows[to], cell))
		m.in = append(m.in, word(windows[me], cell))
	}
	for other := range l.pes {
		m.links = append(m.links, m.link(other))
	}
	return m
}

// A link is the notifications between this PE and another: the cell there that this one stores its count in, the own
// cell that the other stores in, and the counts, which outlive the PE's EDT.
type link struct{ out, in, sent, received *uint64 }

func (m *memory) link(other int) link {
	l, own := m.layout, m.windows[m.me]
	return link{
		out: word(m.windows[other], l.notify+spacing*m.me), in: word(own, l.notify+spacing*other),
		sent: word(own, l.sent(other)), received: word(own, l.received(other)),
	}
}

// word returns the 8-byte word at an offset.
func word(window []byte, at int) *uint64 { return (*uint64)(unsafe.Pointer(&window[at : at+8][0])) }

func word4(window []byte, at int) *uint32 { return (*uint32)(unsafe.Pointer(&window[at : at+4][0])) }

func (m *memory) private(k int) *uint64 { return word(m.windows[m.me], m.layout.private+8*k) }

func (m *memory) Put(to, dst int, src []byte) { move(m.windows[to][dst:dst+len(src)], src) }

func (m *memory) Get(dst []byte, from, src int) { move(dst, m.windows[from][src:src+len(dst)]) }

// move copies bytes of equal number: one word without the call of a general copy.
func move(dst, src []byte) {
	if len(dst) == 8 && len(src) == 8 {
		*(*[8]byte)(dst) = *(*[8]byte)(src)
		return
	}
	copy(dst, src)
}

func (m *memory) PutStrided(to, dst int, src []byte, n, width int, s Strides) {
	moveStrided(m.windows[to][dst:], src, n, width, s)
}

func (m *memory) GetStrided(dst []byte, from, src int, n, width int, s Strides) {
	moveStrided(dst, m.windows[from][src:], n, width, s)
}

func (m *memory) Signal(to, dst, width int, v uint64) {
	if width == 4 {
		cell.Store(word4(m.windows[to], dst), uint32(v))
		return
	}
	cell.Store(word(m.windows[to], dst), v)
}

func (m *memory) Poll(from, at, width int, v uint64) bool {
	if width == 4 {
		return cell.Await(word4(m.windows[from], at), uint32(v), pollBurst)
	}
	return cell.Await(word(m.windows[from], at), v, pollBurst)
}

func (m *memory) Notify(to int) {
	l := &m.links[to]
	*l.sent++
	cell.Store(l.out, *l.sent)
}

func (m *memory) Wait(from int) {
	l := &m.links[from]
	*l.received++
	m.atLeast(l.in, *l.received)
}

// Flush: an atomic exchange is not done before all earlier stores are visible.
func (m *memory) Flush() { atomic.SwapUint64(m.private(wordQuiet), 0) }

// Barrier is a dissemination barrier: in round r every PE stores how many barriers it has entered at the PE 2^r behind
// it, and waits for the same number. After log2 N rounds every PE depends on every other. The cells count, so they are
// never reset, and a PE may be a barrier ahead.
func (m *memory) Barrier() {
	count := m.private(wordBarriers)
	*count++
	epoch := *count
	for r, out := range m.out {
		cell.Store(out, epoch)
		m.atLeast(m.in[r], epoch)
	}
}
