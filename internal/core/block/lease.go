package block

import "sync/atomic"

// A block of which another rank has the lease is *away* here: its word then lets nobody acquire it, in any mode, and
// who wants it waits in the queue. A block of another rank has a *proxy* here, which is an ordinary record
// but for a bit that keeps it off the quick ways; it is away until a lease comes with the bytes. A
// rank that is to get the lease, or to get the block back, waits in the queue as an EDT in mode EW does, so it has
// the block alone when it is served: readers in mode RO may be left, who keep the memory.

// ForRank marks a [Waiter] that is no EDT: EDT's lower bits say which rank it is.
const ForRank = 1 << 31

// Proxy reports whether the record stands for a block of another rank.
func (r *Record) Proxy() bool { return atomic.LoadUint64(&r.state)&proxy != 0 }

// Away reports whether the bytes are with another rank.
func (r *Record) Away() bool { return atomic.LoadUint64(&r.state)&away != 0 }

// Wanted reports whether anybody waits for the block.
func (r *Record) Wanted() bool { return atomic.LoadUint64(&r.state)&queued != 0 }

// Spread notes that the block of a proxy may have come into several slots of this rank.
func (r *Record) Spread() {
	if !r.IsSpread() {
		atomic.OrUint64(&r.state, spread)
	}
}

// IsSpread reports what Spread has noted.
func (r *Record) IsSpread() bool { return atomic.LoadUint64(&r.state)&spread != 0 }

// CreateProxy makes the record of another rank's block, away and without memory.
func (l *Local) CreateProxy() (i uint32, r *Record, err error) {
	if i = l.recs.Get(); i == 0 {
		return 0, nil, ErrNoMemory
	}
	r = l.recs.At(i)
	r.size, r.addr, r.class, r.home = 0, 0, 0, -1
	r.state = proxy | away
	return i, r, nil
}

// Provide gives a proxy memory, whose lease has come, unless it has some.
func (l *Local) Provide(r *Record, size int) error {
	if r.addr != 0 {
		return nil
	}
	addr, class, _, err := l.mem.get(size)
	if err == nil {
		r.size, r.addr, r.class = uint64(size), addr, class
	}
	return err
}

// Send makes a block away that its caller holds in mode EW. It reports whether anybody waits for it.
func (r *Record) Send() (wanted bool) {
	for {
		old := atomic.LoadUint64(&r.state)
		next := old&^(classBits|classMask) | away
		if atomic.CompareAndSwapUint64(&r.state, old, next) {
			return next&queued != 0
		}
	}
}

// Unload gives the memory of a proxy back that is away, unless readers are left.
func (l *Local) Unload(r *Record) {
	if atomic.LoadUint64(&r.state)&readMask == 0 {
		l.mem.put(r.addr, r.class)
		r.addr = 0
	}
}

// Receive ends that a block is away: its bytes have come. Those that can now have it are appended to granted.
func (l *Local) Receive(i uint32, r *Record, granted []Waiter) []Waiter {
	for {
		old := atomic.LoadUint64(&r.state)
		if !atomic.CompareAndSwapUint64(&r.state, old, old&^away) {
			continue
		}
		if old&queued != 0 {
			return l.store.serve(i, r, granted)
		}
		return granted
	}
}

// Retire takes a proxy that nobody holds or waits for, so that nobody can acquire it any more. It reports false if
// somebody does.
func (r *Record) Retire() bool {
	for {
		old := atomic.LoadUint64(&r.state)
		if old&^(proxy|away|inPlace|spread) != 0 {
			return false
		}
		if atomic.CompareAndSwapUint64(&r.state, old, old|away|destroyed) {
			return true
		}
	}
}

// FreeProxy frees the record and the memory of a proxy that was retired.
func (l *Local) FreeProxy(i uint32, r *Record) {
	if r.addr != 0 && r.InPlace() == nil {
		l.mem.put(r.addr, r.class)
	}
	r.size, r.addr = 0, 0
	if r.Expire() {
		l.recs.Put(i)
	}
}
