package edttest

import (
	"ocr/datablock"
	"ocr/edt"
	"ocr/guid"
)

// A footprint is what one EDT has done to which objects. Events, EDTs and blocks are numbered in the order of their
// creation, which is the same in all runs that begin alike.
type footprint map[int]access

// wholeRun stands for the run itself: an EDT that ends the run destroys it.
const wholeRun = -1

// An access is what an EDT has done to an object: some of the following.
type access uint8

const (
	refers   access = 1 << iota // passed it on, or used its GUID
	reads                       // held the block for reading
	writes                      // held it for writing; satisfied the event; ran the EDT
	fills                       // filled a slot of the EDT
	counts                      // counted the latch down
	awaits                      // added a dependence on the event
	destroys                    // destroyed it
)

// conflicts reports whether the order of two EDTs with these accesses to one object may matter. Fills of different
// slots, counts of one latch and so on lead to the same state in either order.
func (a access) conflicts(b access) bool {
	if (a|b)&destroys != 0 {
		return true
	}
	both := (a | b) &^ refers
	same := both&(both-1) == 0 && both != writes
	return a&^refers != 0 && b&^refers != 0 && !same
}

func (f footprint) add(object int, a access) { f[object] |= a }

// conflicts reports whether two footprints have conflicting accesses to one object.
func (f footprint) conflicts(o footprint) bool {
	if len(o) < len(f) {
		f, o = o, f
	}
	for object, a := range f {
		if b, ok := o[object]; ok && a.conflicts(b) {
			return true
		}
	}
	return false
}

// before returns the accesses to the first n objects.
func (f footprint) before(n int) footprint {
	kept := make(footprint)
	for object, a := range f {
		if object < n {
			kept[object] = a
		}
	}
	return kept
}

// A surveyor records the footprints of a run's EDTs. It observes all workers.
type surveyor struct {
	edt.NopObserver
	host    *Host
	blind   bool // something happens that observers do not see
	objects map[guid.GUID]int
	types   map[guid.GUID]edt.EventType
	tasks   map[guid.GUID]*surveyed
	steps   []*surveyed // the EDTs that have run
	feet    []footprint // the footprints of steps
}

// A surveyed is what the surveyor knows of an EDT.
type surveyed struct {
	slots, filled int
	modes         map[int]datablock.Mode
	blocks        map[int]guid.GUID
	makers        map[int]bool // steps that created it, or connected or filled one of its slots
}

func newSurveyor(h *Host) *surveyor {
	return &surveyor{
		host: h, objects: make(map[guid.GUID]int), types: make(map[guid.GUID]edt.EventType),
		tasks: make(map[guid.GUID]*surveyed),
	}
}

// step is the number of the EDT that runs, -1 before the first.
func (s *surveyor) step() int { return s.host.steps - 1 }

// touch adds an access to the footprint of the EDT that runs.
func (s *surveyor) touch(g guid.GUID, a access) {
	object, ok := s.objects[g]
	if step := s.step(); ok && step >= 0 {
		for len(s.feet) <= step {
			s.feet = append(s.feet, footprint{wholeRun: refers})
		}
		s.feet[step].add(object, a)
	}
}

// ended records that the last EDT has ended the run.
func (s *surveyor) ended() {
	if last := len(s.feet) - 1; last >= 0 {
		s.feet[last].add(wholeRun, destroys)
	}
}

// created numbers an object.
func (s *surveyor) created(g guid.GUID) {
	s.objects[g] = len(s.objects)
	s.touch(g, writes)
}

func (s *surveyor) EDTCreated(g guid.GUID, _ *edt.Template, slots int) {
	s.created(g)
	s.tasks[g] = &surveyed{
		slots: slots, modes: make(map[int]datablock.Mode), blocks: make(map[int]guid.GUID),
		makers: map[int]bool{s.step(): true},
	}
}

func (s *surveyor) EDTBegin(g guid.GUID, _ *edt.Template, in edt.Args) {
	for len(s.steps) <= s.step() {
		s.steps = append(s.steps, nil)
	}
	s.steps[s.step()] = s.tasks[g]
	s.touch(g, writes)
	for k := range in.Deps() {
		d := in.Dep(k)
		s.touch(d.GUID(), accessIn(d.Mode()))
	}
}

func (s *surveyor) EDTDestroyed(g guid.GUID) { s.touch(g, destroys) }

func (s *surveyor) EventCreated(g guid.GUID, t edt.EventType) {
	s.created(g)
	s.types[g] = t
	// Observers are not told that an idempotent event is satisfied again.
	s.blind = s.blind || t == edt.Idempotent
}

func (s *surveyor) EventSatisfied(g, _, block guid.GUID, slot int) {
	if s.types[g] == edt.Latch && slot == edt.Decr {
		s.touch(g, counts)
	} else {
		s.touch(g, writes)
	}
	s.touch(block, refers)
}

func (s *surveyor) EventDestroyed(g guid.GUID) {
	// A once event, a latch or a counted event is destroyed by what is reported anyway.
	if t := s.types[g]; t == edt.Sticky || t == edt.Channel || t == edt.Idempotent {
		s.touch(g, destroys)
	} else {
		s.touch(g, writes)
	}
}

func (s *surveyor) DependenceAdded(source, dst guid.GUID, slot int, mode datablock.Mode) {
	if s.types[source] == edt.Channel {
		s.touch(source, writes)
	} else if _, event := s.types[source]; event {
		s.touch(source, awaits)
	} else {
		s.touch(source, refers)
	}
	if t := s.tasks[dst]; t != nil {
		t.modes[slot] = mode
		t.makers[s.step()] = true
		s.touch(dst, fills)
	} else {
		s.touch(dst, refers)
	}
}

func (s *surveyor) SlotSatisfied(g guid.GUID, slot int, _, block guid.GUID) {
	s.touch(g, fills)
	t := s.tasks[g]
	if t == nil {
		return
	}
	t.blocks[slot] = block
	t.makers[s.step()] = true
	if t.filled++; t.filled == t.slots {
		for slot, block := range t.blocks {
			s.touch(block, accessIn(t.modes[slot]))
		}
	}
}

func (s *surveyor) BlockCreated(g guid.GUID, _ int, bytes []byte) []byte {
	s.created(g)
	return bytes
}

func (s *surveyor) BlockReleased(g guid.GUID, mode datablock.Mode, _ bool) {
	s.touch(g, accessIn(mode))
}
func (s *surveyor) BlockDestroyed(g guid.GUID) { s.touch(g, destroys) }

// accessIn is the access of an EDT that holds a block in a mode.
func accessIn(m datablock.Mode) access {
	switch m {
	case datablock.RW, datablock.EW:
		return writes
	case datablock.Null:
		return refers
	}
	return reads
}
