package runtime

import (
	"fmt"
	"strings"
	"testing"

	"github.com/anishathalye/porcupine"

	"ocr/edt"
	"ocr/internal/proof/model/history"
)

// The calls of an inbox.
const (
	sent = iota
	received
	askedEmpty // settle and empty
)

type inboxCall struct {
	kind int
	task edt.Ready // of a message sent
}

// inboxSpec is a queue, or, if messages may overflow, a bag. receive may come back
// with nothing at any time: a sender that has claimed its place holds the messages
// behind it up. An inbox said to be empty is.
func inboxSpec(overflows bool) porcupine.Model {
	return porcupine.Model{
		Init: func() any { return "" },
		Step: func(state, input, output any) (bool, any) {
			have, c := state.(string), input.(inboxCall)
			switch c.kind {
			case sent:
				return true, have + string(rune(c.task))
			case askedEmpty:
				return !output.(bool) || have == "", have
			}
			k := output.(edt.Ready)
			if k == 0 {
				return true, have
			}
			at := strings.IndexRune(have, rune(k))
			if at < 0 || at > 0 && !overflows {
				return false, have
			}
			return true, have[:at] + have[at+1:]
		},
		DescribeOperation: func(input, output any) string {
			c := input.(inboxCall)
			return fmt.Sprintf("%s %d = %v", [...]string{"send", "receive", "empty?"}[c.kind], c.task, output)
		},
	}
}

func TestInboxSpecRejects(t *testing.T) {
	send := func(k edt.Ready) history.Call { return history.Call{Input: inboxCall{sent, k}} }
	receive := func(k edt.Ready) history.Call {
		return history.Call{Input: inboxCall{kind: received}, Output: k}
	}
	empty := func(yes bool) history.Call {
		return history.Call{Input: inboxCall{kind: askedEmpty}, Output: yes}
	}
	history.Rejects(t, inboxSpec(false),
		history.Wrong{Name: "out of order", Calls: []history.Call{send(1), send(2), receive(2)}},
		history.Wrong{Name: "received twice", Calls: []history.Call{send(1), receive(1), receive(1)}},
		history.Wrong{Name: "not empty", Calls: []history.Call{send(1), receive(0), empty(false), empty(true)}})
	history.Rejects(t, inboxSpec(true),
		history.Wrong{Name: "received twice", Calls: []history.Call{send(1), send(2), receive(2), receive(1), receive(2)}},
		history.Wrong{Name: "never sent", Calls: []history.Call{send(1), receive(2)}})
}

// TestInboxIsLinearizable has three senders and a receiver that sometimes settles
// and asks whether it may sleep.
func TestInboxIsLinearizable(t *testing.T) {
	const senders, each = 3, 3
	for _, capacity := range []int{1, 2, 16} {
		spec := inboxSpec(capacity < senders*each)
		for round := range sized(6000, 240_000) {
			in, r := newInbox(capacity), history.New(senders+1)
			var all []func()
			for s := range senders {
				all = append(all, func() {
					for k := range each {
						m := edt.Ready(s*each + k + 1)
						r.Do(s, inboxCall{sent, m}, func() any { in.send(m); return nil })
					}
				})
			}
			left := senders * each
			receive := func() {
				r.Do(senders, inboxCall{kind: received}, func() any {
					k := in.receive()
					if k != 0 {
						left--
					}
					return k
				})
			}
			ask := func() {
				r.Do(senders, inboxCall{kind: askedEmpty}, func() any { in.settle(); return in.empty() })
			}
			r.Together(append(all, func() {
				for n := range 12 {
					receive()
					if n%4 == round%4 {
						ask()
					}
				}
			})...)
			for left > 0 {
				before := left
				receive()
				if left == before {
					t.Fatalf("capacity %d: %d messages are lost", capacity, left)
				}
			}
			ask()
			r.Check(t, spec)
		}
	}
}
