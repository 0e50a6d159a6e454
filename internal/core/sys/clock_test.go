package sys

import (
	"testing"
	"time"

	"ocr/internal/proof/testrun"
)

func TestNanotime(t *testing.T) {
	began := Nanotime()
	time.Sleep(2 * time.Millisecond)
	if passed := Nanotime() - began; passed < int64(time.Millisecond) {
		t.Errorf("Nanotime advanced %d ns over a sleep of 2 ms", passed)
	}
	testrun.Equal(t, 0, testing.AllocsPerRun(100, func() { Nanotime() }), "allocations of Nanotime")
}

func TestClockResolution(t *testing.T) {
	got := ClockResolution()
	if got <= 0 || got > 20*time.Millisecond {
		t.Errorf("ClockResolution() = %v, want above 0 and at most a scheduler tick", got)
	}
	testrun.Equal(t, got, ClockResolution(), "ClockResolution() again")
}

func TestPause(t *testing.T) {
	shortest := func(n uint32) int64 {
		best := int64(time.Hour)
		for range 20 {
			began := Nanotime()
			Pause(n)
			best = min(best, Nanotime()-began)
		}
		return best
	}
	none, many := shortest(0), shortest(10_000)
	if many < 1000 {
		t.Errorf("Pause(10000) took %d ns, Pause(0) %d: it does not spin", many, none)
	}
	if none > many/4 {
		t.Errorf("Pause(0) took %d ns, Pause(10000) %d: it spins for nothing", none, many)
	}
}
