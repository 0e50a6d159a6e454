package sys

import (
	"math"
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

func TestCycles(t *testing.T) {
	before := Cycles()
	for range 1000 {
		now := Cycles()
		if now < before {
			t.Fatalf("Cycles went back from %d to %d", before, now)
		}
		before = now
	}
	testrun.Equal(t, 0, testing.AllocsPerRun(100, func() { Cycles() }), "allocations of Cycles")
}

// TestCyclePeriod: cycles times the period are the clock's time.
func TestCyclePeriod(t *testing.T) {
	period := CyclePeriod()
	testrun.Equal(t, period, CyclePeriod(), "CyclePeriod() again")
	cycles0, ns0 := BothClocks()
	time.Sleep(30 * time.Millisecond)
	cycles1, ns1 := BothClocks()
	if ratio := float64(cycles1-cycles0) * period / float64(ns1-ns0); math.Abs(ratio-1) > 0.01 {
		t.Errorf("30 ms are %v of that in cycles", ratio)
	}
}
