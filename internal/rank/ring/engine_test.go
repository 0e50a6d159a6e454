package ring

import (
	"fmt"
	"os"
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

func TestMain(m *testing.M) {
	if role := os.Getenv(roleVariable); role != "" {
		os.Exit(otherProcess(role))
	}
	goleak.VerifyTestMain(m)
}
