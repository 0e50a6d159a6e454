package model_test

import (
	"fmt"
	"testing"

	"ocr/internal/proof/model"
)

// A bornModel is EDTs that rank 0 makes on rank 1, with serials as their names. Two workers of rank 0 make them. A
// worker fills the slot of each of its EDTs, or has rank 2 do it, which also names the EDT when it is gone.
type bornModel struct {
	weak   string
	net    network
	serial model.Word   // the last one that was given out
	seen   model.Word   // the last one that has come to rank 1
	alive  []model.Word // by serial
	ran    []model.Word
	stale  model.Word // late names that were recognised
}

const (
	bornCreate = 10 * iota // and the serial
	bornFill
	bornLate
	bornTell
)

// create makes an EDT, and returns its serial.
func (x *bornModel) create(p *model.Process) int {
	send := func(m model.Memory, serial int) {
		x.net.send(m, 0, 1, bornCreate+serial)
	}
	if x.weak == "the serial is taken before the place in the channel" {
		serial := p.Add(x.serial, 1)
		p.Atomically("send CREATE", func(m model.Memory) int { send(m, serial); return serial })
		return serial
	}
	return p.Atomically("create", func(m model.Memory) int {
		m[x.serial]++
		send(m, int(m[x.serial]))
		return int(m[x.serial])
	})
}

// maker is a worker of rank 0.
func (x *bornModel) maker(byOther []bool) func(p *model.Process) {
	return func(p *model.Process) {
		for _, other := range byOther {
			serial := x.create(p)
			p.Atomically("fill", func(m model.Memory) int {
				if other {
					x.net.send(m, 0, 2, bornTell+serial)
				} else {
					x.net.send(m, 0, 1, bornFill+serial)
				}
				return 0
			})
		}
	}
}

// handle is rank 1 taking a message.
func (x *bornModel) handle(m model.Memory, from int) int {
	message := x.net.take(m, from, 1)
	kind, serial := message/10*10, message%10
	switch {
	case kind == bornCreate:
		m[x.seen] = max(m[x.seen], int16(serial))
		m[x.alive[serial]] = 1
	case m[x.alive[serial]] == 0 && kind == bornLate:
		m[x.stale]++
	case m[x.alive[serial]] == 0:
		return serial
	default:
		m[x.alive[serial]] = 0
		m[x.ran[serial]]++
	}
	return 0
}

// mayHandle reports whether the next message names EDTs only whose CREATE was handled.
func (x *bornModel) mayHandle(m model.Memory, from int) bool {
	message := x.net.next(m, from, 1)
	serial := int16(message % 10)
	switch {
	case message == 0:
		return false
	case message < bornFill:
		return true
	case x.weak == "what names an EDT that has not come does not wait":
		return true
	case x.weak == "what names an EDT that is gone waits for it":
		return m[x.alive[serial]] == 1
	}
	return serial <= m[x.seen]
}

func bornSystem(makers ...[]bool) func(weak string) *model.System {
	return func(weak string) *model.System {
		s := model.New("born serials")
		x := &bornModel{weak: weak, net: newNetwork(s, 3), serial: s.Word("serial", 0), seen: s.Word("seen", 0),
			alive: s.Words("alive", 5), ran: s.Words("ran", 5), stale: s.Word("stale", 0)}
		made, told := 0, 0
		for k, byOther := range makers {
			s.Go(fmt.Sprint("worker", k), x.maker(byOther))
			for _, other := range byOther {
				if made++; other {
					told++
				}
			}
		}
		for _, from := range []int{0, 2} {
			var loop func(p *model.Process)
			over := func(m model.Memory) bool {
				sum := m[x.stale]
				for _, w := range x.ran {
					sum += m[w]
				}
				return int(sum) == made+told
			}
			loop = func(p *model.Process) {
				switch serial := p.When("handle", func(m model.Memory) bool { return over(m) || x.mayHandle(m, from) },
					func(m model.Memory) int {
						if over(m) {
							return -1
						}
						return x.handle(m, from)
					}); {
				case serial > 0:
					p.Fail("EDT %d looks stale", serial)
				case serial == 0:
					p.Again("loop", loop)
				}
			}
			s.Go(fmt.Sprintf("%d->1", from), loop)
		}
		s.Go("rank2", func(p *model.Process) {
			for range told {
				serial := p.When("told", func(m model.Memory) bool { return x.net.next(m, 0, 2) != 0 }, func(m model.Memory) int {
					serial := x.net.take(m, 0, 2) - bornTell
					x.net.send(m, 2, 1, bornFill+serial)
					return serial
				})
				p.Atomically("late", func(m model.Memory) int { x.net.send(m, 2, 1, bornLate+serial); return 0 })
			}
		})
		s.Finally(model.If("a late name found an EDT", func(m model.Memory) bool { return int(m[x.stale]) != told }))
		return s
	}
}

func TestRemoteNumbers(t *testing.T) {
	explore(t, bornSystem([]bool{true, false}, []bool{true}))
	explore(t, bornSystem([]bool{true}, []bool{false}),
		variant{"the serial is taken before the place in the channel", "looks stale"},
		variant{"what names an EDT that has not come does not wait", "looks stale"},
		variant{"what names an EDT that is gone waits for it", "deadlock"})
}
