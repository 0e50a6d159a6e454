//go:build explore

package runtime

import (
	"fmt"
	"testing"

	"ocr/edt"
	"ocr/internal/core/word"
	"ocr/internal/proof/explore"
	"ocr/internal/proof/testrun"
)

// A tally counts how often each EDT was taken.
type tally struct {
	*explore.Run
	taken map[edt.Ready]int
}

func newTally(r *explore.Run) *tally { return &tally{r, make(map[edt.Ready]int)} }

// take notes an EDT that was taken, and reports whether there was one.
func (y *tally) take(k edt.Ready) bool {
	if k == 0 {
		return false
	}
	if y.taken[k]++; y.taken[k] > 1 {
		y.Fail("EDT %d was taken twice", k)
	}
	return true
}

// all says which of EDTs 1 to n is lost.
func (y *tally) all(n int) func() error {
	return func() error {
		for k := 1; k <= n; k++ {
			if y.taken[edt.Ready(k)] == 0 {
				return fmt.Errorf("EDT %d is lost", k)
			}
		}
		return nil
	}
}

// The owner follows a script, + for a push and - for a pop, and empties the deque at the end. Each thief tries to steal
// once.
func TestExploredDeque(t *testing.T) {
	for _, script := range []string{"+-+-", "++--+", "+++-", "++-++-"} { // the ring has two places, and grows
		t.Run(script, func(t *testing.T) {
			explore.Every(t, func(r *explore.Run) {
				d, y, pushed := newDeque(2), newTally(r), 0
				r.Go("owner", func() {
					for _, act := range script {
						if act == '+' {
							pushed++
							d.push(edt.Ready(pushed))
						} else {
							y.take(d.pop())
						}
					}
					for y.take(d.pop()) {
					}
				})
				for k := range 2 {
					r.Go(fmt.Sprint("thief ", k), func() { y.take(d.steal()) })
				}
				r.Finally(func() error { return y.all(pushed)() })
			})
		})
	}
}

// The owner puts EDTs into the next-EDT slot and takes them out. Each thief tries a few times.
func TestExploredNextEDT(t *testing.T) {
	for _, tc := range []struct{ edts, thieves, tries int }{{1, 1, 1}, {2, 1, 2}, {3, 1, 1}, {1, 2, 1}, {2, 2, 1}} {
		t.Run(fmt.Sprintf("%+v", tc), func(t *testing.T) {
			explore.Every(t, func(r *explore.Run) {
				y := newTally(r)
				var slot nextEDT
				r.Go("owner", func() {
					for k := range tc.edts {
						slot.put(edt.Ready(k + 1))
						y.take(slot.take())
					}
				})
				for k := range tc.thieves {
					r.Go(fmt.Sprint("thief ", k), func() {
						for range tc.tries {
							if slot.peek() != 0 {
								y.take(slot.steal())
							}
						}
					})
				}
				r.Finally(y.all(tc.edts))
			})
		})
	}
}

// A worker takes the oldest EDT of its lists, while a thief looks at them a few times.
func TestExploredOldest(t *testing.T) {
	for name, fill := range map[string]func(w *worker){
		"pushed":          func(w *worker) { w.deque.push(1); w.deque.push(2) },
		"next":            func(w *worker) { w.nextEDT.put(1); w.deque.push(2) },
		"with a priority": func(w *worker) { w.prio.push(urgent(1)); w.prio.push(2) },
	} {
		t.Run(name, func(t *testing.T) {
			explore.Every(t, func(r *explore.Run) {
				w, y := &worker{pool: &pool{nextSlots: true}}, newTally(r)
				w.deque.init(2)
				takes := func(k edt.Ready) { y.take(edt.Ready(uint32(k))) }
				r.Go("owner", func() {
					for fill(w); w.stealable(); {
						takes(w.oldest())
					}
				})
				r.Go("thief", func() {
					v := victim{worker: w}
					for range 2 {
						takes(v.steal())
					}
				})
				r.Finally(func() error {
					if n := w.prio.count.Load(); n != 0 {
						return fmt.Errorf("%d EDTs with a priority are counted", n)
					}
					return y.all(2)()
				})
			})
		})
	}
}

// Each sender sends some messages. In the end the receiver has received each of them once, and the inbox is empty.
func TestExploredInbox(t *testing.T) {
	for _, tc := range []struct{ size, senders, each int }{{1, 2, 1}, {1, 1, 3}, {2, 2, 1}, {2, 1, 4}, {1, 3, 1}} {
		if tc.senders > 2 && !testrun.Nightly() {
			continue
		}
		t.Run(fmt.Sprintf("%+v", tc), func(t *testing.T) {
			explore.Every(t, func(r *explore.Run) {
				var in inbox
				in.init(tc.size)
				y, total := newTally(r), tc.senders*tc.each
				for s := range tc.senders {
					r.Go(fmt.Sprint("sender ", s), func() {
						for k := range tc.each {
							in.send(edt.Ready(s*tc.each + k + 1))
						}
					})
				}
				r.Go("receiver", func() {
					for len(y.taken) < total {
						if !y.take(in.receive()) {
							in.settle()
							word.Pause(1)
						}
					}
					in.settle()
					if !in.empty() || in.signs() != 0 {
						r.Fail("all messages are received, and the inbox is not empty")
					}
				})
			})
		})
	}
}
