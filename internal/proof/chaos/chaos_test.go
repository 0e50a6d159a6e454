package chaos_test

import (
	"fmt"
	"testing"
	"time"

	"ocr/internal/proof/chaos"
	"ocr/internal/proof/enginetest"
	"ocr/internal/proof/testrun"
	"ocr/internal/rank"
)

// over opens the engines of a job: each is a chaos engine over a loop.
func over(ranks int, seed uint64) (job []rank.Engine) {
	loop := rank.NewLoop(ranks, nil)
	for k := range ranks {
		job = append(job, chaos.New(loop.Engine(k), seed, 20))
	}
	return job
}

// TestEngine: an engine with delays satisfies rank.Engine.
func TestEngine(t *testing.T) {
	for seed := range testrun.Sized[uint64](1, 2, 20) {
		t.Run(fmt.Sprint("seed ", seed), func(t *testing.T) {
			enginetest.Run(t, func(t *testing.T, ranks int) []rank.Engine { return over(ranks, seed) })
		})
	}
}

type dear struct{ rank.Engine }

func (dear) LookGap() time.Duration { return time.Hour }

// TestDear: an engine with delays is as dear as the one that it delays.
func TestDear(t *testing.T) {
	cheap := over(1, 1)[0]
	testrun.Equal(t, 0, cheap.(rank.Dear).LookGap(), "a loop")
	testrun.Equal(t, time.Hour, rank.Engine(chaos.New(dear{cheap}, 1, 20)).(rank.Dear).LookGap(), "a dear engine")
}

// TestOvertakes: if two ranks send alternately, the second one's message sometimes arrives first, and Handled is
// sometimes late.
func TestOvertakes(t *testing.T) {
	job := over(3, 1)
	overtaken, behind := 0, 0
	for n := range uint64(200) {
		job[0].Send(2, &rank.Message{Count: 1, Words: [7]uint64{n}})
		job[1].Send(2, &rank.Message{Count: 1, Words: [7]uint64{n}})
		first := -1
		for left := 2; left > 0; {
			left -= job[2].Poll(1, func(from int, m *rank.Message) bool {
				if m.Words[0] != n {
					t.Fatalf("message %d of rank %d, want %d", m.Words[0], from, n)
				}
				if first < 0 {
					first = from
				}
				return true
			})
		}
		if first == 1 {
			overtaken++
		}
		job[0].Poll(1, nil)
		if job[0].Handled(2) <= n {
			behind++
		}
	}
	if overtaken == 0 || overtaken == 200 || behind == 0 || behind == 200 {
		t.Errorf("of 200 messages %d were overtaken, and %d were not known to be handled at once", overtaken, behind)
	}
}
