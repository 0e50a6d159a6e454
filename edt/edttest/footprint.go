package edttest

import (
	"maps"
	"math/big"
	"slices"

	"ocr/datablock"
	"ocr/edt"
	"ocr/guid"
)

// A footprint is what one EDT has done to which objects. Events, EDTs and blocks are numbered in the order of their
// creation, which is the same in all runs that begin alike.
type footprint map[int]access

// wholeRun stands for the run itself: an EDT that ends the run destroys it.
const wholeRun = -1

// An access is what an EDT has done to an object: a set of the flags below.
type access uint8

const (
	refers   access = 1 << iota // passed it on, or used its GUID
	reads                       // held the block for reading
	writes                      // held it for writing; satisfied the event; ran the EDT
	fills                       // filled a slot of the EDT
	counts                      // counted the latch down, or ended in the finish scope
	awaits                      // added a dependence on the event
	destroys                    // destroyed it
)

// conflicts reports whether it may matter in which order two EDTs access one object, one EDT with accesses a, the other
// with b. Fills of different slots, counts of one latch and so on lead to the same state in either order. The accesses
// in the set ordered do not: the last does more.
func (a access) conflicts(b, ordered access) bool {
	if (a|b)&destroys != 0 {
		return true
	}
	both := (a | b) &^ refers
	same := both&(both-1) == 0 && both&(writes|ordered) == 0
	return a&^refers != 0 && b&^refers != 0 && !same
}

// conflicts reports whether two footprints have conflicting accesses to one object.
func (f footprint) conflicts(o footprint, ordered access) bool {
	if len(o) < len(f) {
		f, o = o, f
	}
	for object, a := range f {
		if b, ok := o[object]; ok && a.conflicts(b, ordered) {
			return true
		}
	}
	return false
}

// before returns the accesses to the first n objects.
func (f footprint) before(n int) footprint {
	kept := maps.Clone(f)
	maps.DeleteFunc(kept, func(object int, _ access) bool { return object >= n })
	return kept
}

// A surveyor records the footprints of a run's EDTs. It observes all workers.
type surveyor struct {
	edt.NopObserver
	host    *Host
	blind   bool   // something happens that observers do not see
	ordered access // accesses whose order matters: the first or the last does more, see join
	joins   []join
	objects map[guid.GUID]int
	types   map[guid.GUID]edt.EventType
	tasks   map[guid.GUID]*surveyed
	waiting map[guid.GUID]*surveyed   // the EDTs whose slots are filled, but that lack blocks
	counted map[guid.GUID]map[int]int // by latch, scope or a scope's output event: as makers, for steps that counted it
	steps   []*surveyed               // the EDTs that have run
	feet    []footprint               // the footprints of steps
	touches [][]touch                 // of each step, in their order
}

// A touch is one access to an object.
type touch struct {
	object int
	access access
}

// A join is an EDT that acquires blocks because its last slot was filled. Field by has the accesses that led to it. If
// other EDTs use the blocks, it matters which EDT made the last of these accesses.
type join struct {
	task *surveyed
	by   access
}

// A surveyed is what the surveyor knows of an EDT.
type surveyed struct {
	slots, filled int
	modes         map[int]datablock.Mode
	blocks        map[int]guid.GUID
	makers        map[int]int // by step that the EDT needs to become ready: the number of the step's touches by then
	held          footprint   // its blocks, once its slots are filled
	scopes        []guid.GUID // the finish scopes that it is in
}

func newSurveyor(h *Host) *surveyor {
	return &surveyor{
		host: h, objects: make(map[guid.GUID]int), types: make(map[guid.GUID]edt.EventType),
		tasks: make(map[guid.GUID]*surveyed), waiting: make(map[guid.GUID]*surveyed),
		counted: make(map[guid.GUID]map[int]int),
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
			s.touches = append(s.touches, nil)
		}
		s.feet[step][object] |= a
		s.touches[step] = append(s.touches[step], touch{object, a})
	}
}

// ended records that the last EDT has ended the run.
func (s *surveyor) ended() {
	if last := len(s.feet) - 1; last >= 0 {
		s.feet[last][wholeRun] |= destroys
	}
}

// created numbers an object.
func (s *surveyor) created(g guid.GUID) {
	s.objects[g] = len(s.objects)
	s.touch(g, writes)
}

func (s *surveyor) EDTCreated(g guid.GUID, _ *edt.Template, slots int) {
	s.created(g)
	t := &surveyed{
		slots: slots, modes: make(map[int]datablock.Mode), blocks: make(map[int]guid.GUID), held: make(footprint),
		makers: make(map[int]int),
	}
	s.note(t.makers)
	if s.step() >= 0 {
		t.scopes = s.steps[s.step()].scopes
	}
	s.tasks[g] = t
}

// note adds the present step to makers, with the number of its touches so far.
func (s *surveyor) note(makers map[int]int) {
	step := s.step()
	makers[step] = 0
	if step >= 0 && step < len(s.touches) {
		makers[step] = len(s.touches[step])
	}
}

// counts records a count of a latch or a scope.
func (s *surveyor) counts(g guid.GUID) {
	s.touch(g, counts)
	if s.counted[g] == nil {
		s.counted[g] = make(map[int]int)
	}
	s.note(s.counted[g])
}

func (s *surveyor) ScopeOpened(scope, g guid.GUID) {
	s.created(scope)
	t := s.tasks[g]
	t.scopes = append(slices.Clip(t.scopes), scope)
}

func (s *surveyor) ScopeClosed(scope, output guid.GUID) {
	if !output.IsNull() { // a fill without an event has Null as its event
		s.counted[output] = s.counted[scope]
	}
}

func (s *surveyor) EDTReady(g guid.GUID) { delete(s.waiting, g) }

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

func (s *surveyor) EDTEnded(g guid.GUID) {
	for _, scope := range s.tasks[g].scopes {
		s.counts(scope)
	}
}

func (s *surveyor) EDTDestroyed(g guid.GUID) {
	s.touch(g, destroys)
	s.EDTEnded(g)
}

func (s *surveyor) EventCreated(g guid.GUID, t edt.EventType) {
	s.created(g)
	s.types[g] = t
	// Observers are not told that an idempotent event is satisfied again.
	s.blind = s.blind || t == edt.Idempotent
}

func (s *surveyor) EventSatisfied(g, from, block guid.GUID, slot int) {
	s.ordered |= s.by(from)
	if s.types[g] == edt.Latch && slot == edt.Decr {
		s.counts(g)
	} else {
		s.touch(g, writes)
	}
	s.touch(block, refers)
}

// by returns the kinds of access that together make an event satisfy a slot or another event.
func (s *surveyor) by(event guid.GUID) access {
	switch {
	case event.IsNull():
		return 0
	case s.counted[event] != nil:
		return awaits | counts
	}
	return awaits
}

func (s *surveyor) EventDestroyed(g guid.GUID) {
	// Once events, latches and counted events end by a satisfaction or dependence that is reported too.
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
		s.touch(dst, fills)
		s.note(t.makers)
	} else {
		s.touch(dst, refers)
	}
}

func (s *surveyor) SlotSatisfied(g guid.GUID, slot int, from, block guid.GUID) {
	s.touch(g, fills)
	t := s.tasks[g]
	if t == nil {
		return
	}
	t.blocks[slot] = block
	t.filled++
	full := t.filled == t.slots && s.acquires(t)
	for step, touches := range s.counted[from] {
		t.makers[step] = max(t.makers[step], touches)
	}
	s.note(t.makers)
	if full {
		s.waiting[g] = t
		by := s.by(from)
		if len(t.makers) > 2 {
			by |= fills
		}
		s.joins = append(s.joins, join{t, by})
	}
}

// acquires records that the running EDT makes EDT t acquire t's blocks. It returns false if t has none.
func (s *surveyor) acquires(t *surveyed) bool {
	for slot, block := range t.blocks {
		s.touch(block, accessIn(t.modes[slot]))
		if object, ok := s.objects[block]; ok {
			t.held[object] |= accessIn(t.modes[slot])
		}
	}
	return len(t.held) > 0
}

// contended adds a join's accesses to ordered if an EDT that nothing orders with the join uses one of its blocks.
func (s *surveyor) contended() {
	made := make([]big.Int, len(s.steps)) // by step: a bit for each step that had to come before it
	for i, t := range s.steps {
		for m := range t.makers {
			if m >= 0 {
				made[i].Or(&made[i], &made[m]).SetBit(&made[i], m, 1)
			}
		}
	}
	for _, j := range s.joins {
		if j.by&^s.ordered == 0 {
			continue
		}
		var before big.Int
		for m := range j.task.makers {
			if m >= 0 {
				before.Or(&before, &made[m])
			}
		}
		ran := slices.Index(s.steps, j.task)
		for step, touches := range s.touches {
			if step == ran || before.Bit(step) != 0 || ran >= 0 && made[step].Bit(ran) != 0 {
				continue
			}
			for _, t := range touches[j.task.makers[step]:] {
				if a := j.task.held[t.object]; a != 0 && a.conflicts(t.access, 0) {
					s.ordered |= j.by
				}
			}
		}
	}
}

func (s *surveyor) BlockCreated(g guid.GUID, _ int, bytes []byte) []byte {
	s.created(g)
	return bytes
}

func (s *surveyor) BlockReleased(g guid.GUID, mode datablock.Mode, _ bool) {
	s.touch(g, accessIn(mode))
	for _, t := range s.waiting {
		for _, block := range t.blocks {
			if block == g { // with this block it may acquire others
				s.acquires(t)
			}
		}
	}
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
