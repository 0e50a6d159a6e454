package check

import (
	"fmt"
	"reflect"
	"slices"
	"sync/atomic"
	"unsafe"

	"ocr/datablock"
	"ocr/edt"
	"ocr/runtime/finding"
)

// word is the unit, in bytes, in which changes are found, and in which their writers are recorded.
const word = 8

// A write is the latest write of a word.
type write struct {
	by    *node
	at    moment
	bytes uint8 // a bit for each byte that was changed
	typed bool  // the size of the numbers is known, so bytes has all bytes that were written
	alone bool  // the writer held the block in mode EW
}

// An access is an EDT's use of a block until its release, with the range of the bytes that it has changed.
type access struct {
	by     *node
	at     moment
	lo, hi int  // hi is 0 if none were changed
	last   bool // it is a change that comes after all earlier accesses of the block
}

// lately is how many of a block's latest accesses, and of a page's latest views, are kept.
const lately = 16

// publish copies what an EDT has changed into the block, if the EDT may write, and judges its use of the block.
func (k *Checker) publish(v *view, site string) {
	a := access{by: v.node, at: k.tick()}
	v.published = a.at
	if v.read == nil {
		k.carry(v, &a, site)
	}
	if a.hi > 0 && !v.writes() {
		k.report(v.finding(finding.ReadOnlyWrite, site, fmt.Sprintf("byte %d of %d was written, held in mode %v%s",
			firstChange(v.bytes, v.was), len(v.bytes), v.mode, v.came)))
		return
	}
	if v.changed = a.hi > 0; v.changed {
		k.change(v)
	}
	k.judgeExposures(v)
	k.judgeAccess(v, a)
}

// chunk is the number of bytes that are compared at a time.
const chunk = 512

// carry finds the bytes of a view that differ from before. If the view writes, it copies them to the block.
func (k *Checker) carry(v *view, a *access, site string) {
	over, alone := conflicts{k: k, view: v}, v.isAlone()
	for from := 0; from < len(v.bytes); from += chunk {
		to := min(from+chunk, len(v.bytes))
		if string(v.bytes[from:to]) == string(v.was[from:to]) {
			continue
		}
		for at := from; at < to; at += word {
			end := min(at+word, to)
			changed := differing(v.bytes[at:end], v.was[at:end])
			if changed == 0 {
				continue
			}
			if a.hi == 0 {
				a.lo = at
			}
			if a.hi = end; v.writes() {
				over.note(at, end, changed, a.at)
				merge(v.real[at:end], v.bytes[at:end], changed)
			}
			if alone && v.writes() {
				copy(v.was[at:end], v.bytes[at:end])
			}
		}
	}
	over.report(site)
}

// differing returns a bit for each byte in which two words differ.
func differing(a, b []byte) (mask uint8) {
	for n := range a {
		if a[n] != b[n] {
			mask |= 1 << n
		}
	}
	return mask
}

func firstChange(a, b []byte) (at int) {
	for a[at] == b[at] {
		at++
	}
	return at
}

// merge copies the changed bytes of a word to the block: atomically if it is a whole word, as EDTs that synchronise
// their accesses may use its other bytes.
func merge(to, from []byte, changed uint8) {
	if len(to) < word {
		mergeBytes(to, from, changed)
		return
	}
	for p := (*uint64)(unsafe.Pointer(&to[0])); ; {
		before := atomic.LoadUint64(p)
		after := before
		mergeBytes((*[word]byte)(unsafe.Pointer(&after))[:], from, changed)
		if atomic.CompareAndSwapUint64(p, before, after) {
			return
		}
	}
}

func mergeBytes(to, from []byte, changed uint8) {
	for n := range to {
		if changed>>n&1 != 0 {
			to[n] = from[n]
		}
	}
}

// conflicts are the words of a view that other EDTs have changed in no order with it.
type conflicts struct {
	k     *Checker
	view  *view
	met   []meeting // with the EDTs that have changed the view's words before
	found []conflict
}

// A meeting says whether another EDT's changes up to a moment happen before the view's EDT.
type meeting struct {
	by      *node
	at      moment
	ordered bool // they do
}

// A conflict is the words of the view that one other EDT has changed, too.
type conflict struct {
	with   write
	same   bool // both have changed some of the same bytes
	lo, hi int
	values string
}

// note records that the view has changed a word.
func (c *conflicts) note(at, end int, changed uint8, now moment) {
	v, b := c.view, c.view.block
	if b.last == nil {
		b.last = make([]write, (len(v.bytes)+word-1)/word)
	}
	changed = numbers(changed, v.unit)
	last := &b.last[at/word]
	w := write{by: v.node, at: now, bytes: changed, typed: v.unit != 0, alone: v.mode == datablock.EW}
	switch {
	case last.by == v.node:
		w.bytes |= last.bytes
	case last.by != nil:
		if same := last.bytes&changed != 0; same || !last.typed || !w.typed {
			c.meet(at, end, *last, same)
		}
	}
	*last = w
}

// meet records that another EDT has changed the word before, unless that change happens before the view's EDT.
func (c *conflicts) meet(at, end int, other write, same bool) {
	if c.isOrdered(other) {
		return
	}
	for n := range c.found {
		if f := &c.found[n]; f.with.by == other.by && f.with.at == other.at && f.same == same {
			f.hi = end
			return
		}
	}
	c.found = append(c.found, conflict{other, same, at, end,
		fmt.Sprintf("%x, over %x", c.view.bytes[at:end], c.view.real[at:end])})
}

// isOrdered reports whether a change happens before the view's EDT begins. It looks at the last meetings first, as
// neighbouring words mostly have one writer.
func (c *conflicts) isOrdered(w write) bool {
	for _, m := range slices.Backward(c.met) {
		if m.by == w.by && m.at == w.at {
			return m.ordered
		}
	}
	m := meeting{w.by, w.at, c.k.ordered(cause{from: w.by, at: w.at}, c.view.node)}
	c.met = append(c.met, m)
	return m.ordered
}

// report reports the conflicts. Changes of different bytes of a word are a note, as each EDT may have written its bytes
// only. In mode EW these are no conflict, nor are changes of the same bytes if the program allows them.
func (c *conflicts) report(site string) {
	for _, one := range c.found {
		alone := one.with.alone || c.view.mode == datablock.EW
		f := c.view.finding(finding.WriteRace, site, fmt.Sprintf("bytes %d to %d: %s", one.lo, one.hi-1, one.values))
		switch {
		case alone && (!one.same || c.view.block.allowed&edt.ExclusiveWriters != 0):
			continue
		case alone:
			f.Kind = finding.TurnOrder
		case !one.same:
			f.Kind, f.Note = finding.SharedWord, true
			f.Detail = fmt.Sprintf("bytes %d to %d: each has changed others of them; a race if one has written a whole word",
				one.lo, one.hi-1)
		}
		c.k.report(one.with.by.against(f))
	}
}

// judgeAccess compares an access with the latest accesses of other EDTs: a read with changes, a change with reads. An
// EDT that may write and has changed nothing counts as neither. If an access comes after a change marked last, it comes
// after all accesses before that change.
func (k *Checker) judgeAccess(v *view, a access) {
	b := v.block
	if v.writes() && !v.changed || b.allowed&edt.ReadsAndWrites != 0 {
		return
	}
	a.last = v.changed
	for n := len(b.uses) - 1; n >= 0; n-- {
		o := b.uses[n]
		if o.by == a.by || !v.changed && o.hi == 0 {
			continue
		}
		if k.ordered(cause{from: o.by, at: o.at}, a.by) {
			if o.last {
				break
			}
			continue
		}
		if a.last = false; o.hi == 0 {
			k.reportRead(b, o.by, a)
		} else if !v.changed {
			k.reportRead(b, a.by, o)
		}
	}
	keepLast(&b.uses, a, lately)
}

// reportRead reports that an EDT has changed a block, and that no order holds between the change and a reader of the
// block. It does not report what was reported as an exposure.
func (k *Checker) reportRead(b *block, reader *node, change access) {
	if !slices.Contains(reader.early, change.by) {
		k.report(change.by.against(reader.finding(finding.ReadRace, reader.site, b.id, b.site, fmt.Sprintf(
			"which, in no order with it, changed bytes %d to %d: a race if this EDT read them", change.lo, change.hi-1))))
	}
}

// numbers extends the changed bytes of a word to whole numbers of this size.
func numbers(changed uint8, size int) uint8 {
	for at := 0; size > 1 && at < word; at += size {
		if number := uint8(1<<size-1) << at; changed&number != 0 {
			changed |= number
		}
	}
	return changed
}

// unitOf returns the size of the numbers in a type, at most a word; 0 if the type is not known, or has several sizes.
func unitOf(t reflect.Type) int {
	if t == nil {
		return 0
	}
	switch t.Kind() {
	case reflect.Array: // the array in task.Headed has no elements
		return unitOf(t.Elem())
	case reflect.Complex64, reflect.Complex128:
		return int(t.Size()) / 2
	case reflect.Struct:
		unit := word
		for n := range t.NumField() {
			one := unitOf(t.Field(n).Type)
			if n > 0 && one != unit {
				return 0
			}
			unit = one
		}
		return unit
	}
	return min(word, int(t.Size()))
}
