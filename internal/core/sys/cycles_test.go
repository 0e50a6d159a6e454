package sys

import (
	"math"
	"testing"
	"time"

	"ocr/internal/proof/testrun"
)

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
