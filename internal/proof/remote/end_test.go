package remote

import (
	"net"
	"testing"
	"time"

	"ocr/internal/proof/testrun"
	"ocr/internal/rank"
)

// TestPoll: a message that is refused stays the first; a message whose handler panics is gone, as Engine promises.
func TestPoll(t *testing.T) {
	a, b := net.Pipe()
	from, to := newEnd(a), newEnd(b)
	defer a.Close()
	defer b.Close()
	go func() {
		for k := range 4 {
			from.tell(uint8(k))
		}
	}()
	var got []uint8
	poll := func() {
		defer func() { _ = recover() }()
		for !to.Arrived() {
			to.Sleep(time.Second)
		}
		to.poll(1, func(m *rank.Message) bool {
			got = append(got, m.Kind)
			if len(got) == 3 {
				panic("a misuse")
			}
			return len(got) != 2
		})
	}
	for range 5 {
		poll()
	}
	testrun.Same(t, []uint8{0, 1, 1, 2, 3}, got, "messages")
}
