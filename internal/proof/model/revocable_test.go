package model_test

import (
	"testing"

	"ocr/internal/proof/model"
)

// The head of a sticky event, as in edt/event.go.
const (
	headNone    = iota
	headWaits   // EDT 1 waits
	headHolds   // the same, with a revocable hold
	headLocked  // a worker revokes it
	headTrigger // the event has triggered
)

// A revocableModel is edt/revocable.go with one block: EDT 1 has it in mode RW from before, and goes on behind an
// event.
type revocableModel struct {
	*blockModel
	weak     string
	head     model.Word
	revokes  model.Word // some worker has looked for revocable holds
	revoking model.Word // the lock
	held     model.Word // the slot of EDT 1 says that it holds the block
}

// goesOn is the end of EDT 1.
func (r *revocableModel) goesOn(p *model.Process) {
	if r.weak == "looks before it waits" {
		r.look(p)
	}
	if !p.CAS(r.head, headNone, headHolds) {
		r.release(p, rw)
		p.Again("the event has triggered", r.acquires)
		return
	}
	if r.weak != "looks before it waits" && r.weak != "never looks" {
		r.look(p)
	}
}

// look is revokeWanted.
func (r *revocableModel) look(p *model.Process) {
	if p.Load(r.revokes) != 0 && p.Load(r.state)&blockQueued != 0 {
		r.revoke(p)
	}
}

func (r *revocableModel) revoke(p *model.Process) {
	p.Lock(r.revoking)
	locked := headLocked
	if r.weak == "the head is not locked" {
		locked = headWaits
	}
	revoked := p.CAS(r.head, headHolds, locked)
	if revoked {
		p.Store(r.held, 0)
		if locked == headLocked {
			p.Store(r.head, headWaits)
		}
	}
	p.Unlock(r.revoking)
	if revoked && r.weak != "what was revoked is not released" {
		r.release(p, rw)
	}
}

// wants is an EDT that needs the block in a mode that excludes EDT 1.
func (r *revocableModel) wants(p *model.Process, edt int, a access) {
	if r.tryAcquire(p, a, true) || r.wait(p, edt, a, false) {
		return
	}
	switch r.weak {
	case "the EDT that queues does not revoke":
	case "says too late that it looks":
		r.revoke(p)
		p.Store(r.revokes, 1)
	default:
		p.Store(r.revokes, 1)
		r.revoke(p)
	}
	p.Await(r.edts.granted[edt], 1)
}

// trigger satisfies the event, and runs EDT 1 if it waits.
func (r *revocableModel) trigger(p *model.Process) {
	h := p.Load(r.head)
	for h == headLocked && r.weak != "a locked head is taken" || !p.CAS(r.head, h, headTrigger) {
		p.Lock(r.revoking)
		p.Unlock(r.revoking)
		h = p.Load(r.head)
	}
	switch {
	case h == headNone:
	case p.Load(r.held) != 0:
		p.Again("holds", func(p *model.Process) { r.release(p, rw) })
	default:
		p.Again("holds nothing", r.acquires)
	}
}

func (r *revocableModel) acquires(p *model.Process) {
	r.acquire(p, 1, rw)
	p.Again("holds", func(p *model.Process) { r.release(p, rw) })
}

// revocableSystem: EDT 2 wants the block. The event waits for EDT 2, or for no EDT.
func revocableSystem(a access, waits bool) func(weak string) *model.System {
	return func(weak string) *model.System {
		s := model.New("revocable hold")
		edts := &edtsModel{[]access{0, rw, a}, s.Words("granted", 3)}
		r := &revocableModel{newBlockModel(s, weak, "block", edts, rw), weak, s.Word("head", headNone), s.Word("revokes", 0),
			s.Word("revoking", 0), s.Word("held", 1)}
		s.Go("EDT1", r.goesOn)
		s.Go("EDT2", func(p *model.Process) {
			r.wants(p, 2, a)
			p.Again("EDT2 holds", func(p *model.Process) {
				r.release(p, a)
				if waits {
					r.trigger(p)
				}
			})
		})
		if !waits {
			s.Go("event", r.trigger)
		}
		r.excluding(s)
		s.Finally(model.If("the event has not triggered", func(m model.Memory) bool { return m[r.head] != headTrigger }))
		return s
	}
}

func TestRevocableHold(t *testing.T) {
	explore(t, revocableSystem(constant, true))
	explore(t, revocableSystem(constant, false))
	explore(t, revocableSystem(ew, true),
		variant{"the EDT that queues does not revoke", "deadlock"},
		variant{"looks before it waits", "deadlock"},
		variant{"never looks", "deadlock"},
		variant{"says too late that it looks", "deadlock"},
		variant{"what was revoked is not released", "deadlock"})
	explore(t, revocableSystem(ew, false),
		variant{"the head is not locked", "deadlock"},
		variant{"a locked head is taken", "deadlock"})
}
