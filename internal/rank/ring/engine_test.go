package ring

import (
	"fmt"
	"os"
	"slices"
	"testing"

	"go.uber.org/goleak"

	"ocr/internal/proof/enginetest"
	"ocr/internal/proof/testrun"
	"ocr/internal/rank"
)

// heapJob opens the engines of a job in memory of the Go heap, which the race detector watches.
func heapJob(t testing.TB, ranks, lines int) []*Engine {
	t.Helper()
	m, err := NewMemory(make([]byte, Bytes(ranks, lines)), ranks, lines)
	testrun.OK(t, err)
	var job []*Engine
	for k := range ranks {
		job = append(job, Open(m, k))
	}
	return job
}

func TestEngine(t *testing.T) {
	for _, lines := range []int{4, DefaultLines} {
		t.Run(fmt.Sprint(lines), func(t *testing.T) {
			enginetest.Run(t, func(t *testing.T, ranks int) (job []rank.Engine) {
				for _, e := range heapJob(t, ranks, lines) {
					job = append(job, e)
				}
				return job
			})
		})
	}
}

// A rank looks at the rings of ranks that have sent lately, and of no others.
func TestSenders(t *testing.T) {
	const ranks = 70 // two words
	m, err := NewMemory(make([]byte, Bytes(ranks, 4)), ranks, 4)
	testrun.OK(t, err)
	e, got := Open(m, 1), []int(nil)
	handle := func(from int, _ *rank.Message) bool { got = append(got, from); return true }
	marked := func() []int {
		var all []int
		for k := range ranks {
			if e.page.senders[k/64].Load()&(1<<(k%64)) != 0 {
				all = append(all, k)
			}
		}
		return all
	}
	senders, engines := []int{0, 3, 63, 64, 69}, []*Engine(nil)
	for _, k := range senders {
		engines = append(engines, Open(m, k))
	}
	for _, first := range []int{0, 3, 4, 64, 69} { // the rank behind the last one of the poll before
		for _, sender := range engines {
			sender.Send(1, &rank.Message{Kind: 1})
		}
		testrun.Same(t, senders, marked(), "marked")
		e.turn, got = first, nil
		e.Poll(2, handle)
		e.Poll(10, handle)
		at, _ := slices.BinarySearch(senders, first)
		testrun.Same(t, slices.Concat(senders[at:], senders[:at]), got, "order from rank %d on", first)
		for range calm {
			testrun.Equal(t, false, e.Arrived(), "arrived")
		}
		testrun.Equal(t, 0, len(marked()), "marked when calm")
	}
}

func TestMain(m *testing.M) {
	if role := os.Getenv(roleVariable); role != "" {
		os.Exit(otherProcess(role))
	}
	goleak.VerifyTestMain(m)
}
