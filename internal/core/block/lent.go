package block

// One rank at a time may have the right to write a block. On any other rank the block is *lent*: no EDT can acquire it,
// in any mode, and EDTs that need it wait in the queue. The record of another rank's block is a *proxy*: an ordinary
// record with a bit that excludes it from the fast paths. It is lent until the bytes arrive.
//
// A rank that needs the right, or the home of the block when home needs the block back, waits in the queue like an EDT
// in mode EW. When it is served, the only other holders are readers in mode RO, which keep the memory.
//
// A *copy* is two holds in mode Const: of the block at home, and of the proxy at the rank that has the copy.

// ofClass are the bits of a state that describe holders in modes other than RO.
const ofClass = classBits | classMask

// ForRank marks a [Waiter] that is a rank: the lower bits of its EDT are the rank's number.
const ForRank = 1 << 31

// Proxy reports whether the record stands for a block of another rank.
func (r *Record) Proxy() bool { return r.state.Load()&proxy != 0 }

// Lent reports whether another rank has the bytes.
func (r *Record) Lent() bool { return r.state.Load()&lent != 0 }

// Wanted reports whether an EDT or a rank waits for the block.
func (r *Record) Wanted() bool { return r.state.Load()&queued != 0 }

// First returns the first waiter for the block; its EDT is 0 if there is none.
func (r *Record) First() Waiter {
	r.lock.Lock()
	defer r.lock.Unlock()
	return r.first[0].waiter()
}

// SetCopied records whether other ranks have copies of a block of this rank.
func (r *Record) SetCopied(has bool) {
	if has {
		r.state.Or(copied)
	} else {
		r.state.And(^uint64(copied))
	}
}

// CreateProxy creates the record of another rank's block, lent and without memory.
func (l *Local) CreateProxy() (i uint32, r *Record, err error) {
	if i = l.recs.Get(); i == 0 {
		return 0, nil, ErrTooMany
	}
	r = l.recs.At(i)
	r.size, r.addr, r.class = 0, 0, 0
	r.state.Init(proxy | lent)
	return i, r, nil
}

// Provide allocates memory for a proxy whose bytes have arrived, unless it has memory.
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

// Send makes a block lent. The caller holds it in mode EW, and loses the hold. Send reports whether an EDT or a rank
// waits for the block.
func (r *Record) Send() (wanted bool) {
	for {
		old := r.state.Load()
		next := old&^ofClass | lent
		if r.state.CompareAndSwap(old, next) {
			return next&queued != 0
		}
	}
}

// Unload frees the memory of a proxy that is lent, unless it has readers.
func (l *Local) Unload(r *Record) {
	if r.state.Load()&readMask == 0 {
		l.mem.put(r.addr, r.class)
		r.addr = 0
	}
}

// Receive makes a block available when its bytes have arrived. If only a copy has arrived, for reading, Receive adds a
// hold in mode Const for it. The waiters that acquire the block are appended to granted.
func (l *Local) Receive(i uint32, r *Record, onlyCopy bool, granted []Waiter) []Waiter {
	hold := uint64(0)
	if onlyCopy {
		hold = classOne | inConst
	}
	for {
		old := r.state.Load()
		if !r.state.CompareAndSwap(old, old&^lent|hold) {
			continue
		}
		if old&queued != 0 {
			return l.store.serve(i, r, granted)
		}
		return granted
	}
}

// Retire marks a proxy as destroyed, so that no EDT can acquire it. It returns false, and does nothing, if the proxy
// has waiters or holders. If copy is set, the hold of a copy does not count.
func (r *Record) Retire(copy bool) bool {
	for {
		old := r.state.Load()
		idle := old
		if copy && old&(classBits|classMask) == inConst|classOne {
			idle &^= ofClass
		}
		if idle&^(proxy|lent) != 0 {
			return false
		}
		if r.state.CompareAndSwap(old, idle|lent|destroyed) {
			return true
		}
	}
}

// FreeProxy frees the record and the memory of a proxy that was retired.
func (l *Local) FreeProxy(i uint32, r *Record) {
	if r.addr != 0 {
		l.mem.put(r.addr, r.class)
	}
	r.size, r.addr = 0, 0
	if r.Expire() {
		l.recs.Put(i)
	}
}
