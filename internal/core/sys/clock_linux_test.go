package sys

import (
	"testing"

	"golang.org/x/sys/unix"

	"ocr/internal/proof/testrun"
)

// MachineTime lies between two readings of the machine's clock, but for the error of readAhead.
func TestMachineTime(t *testing.T) {
	var before, after unix.Timespec
	for range 100 {
		testrun.OK(t, unix.ClockGettime(unix.CLOCK_MONOTONIC, &before))
		now := MachineTime()
		testrun.OK(t, unix.ClockGettime(unix.CLOCK_MONOTONIC, &after))
		if now < before.Nano()-1e6 || now > after.Nano()+1e6 {
			t.Fatalf("%d, between %d and %d", now, before.Nano(), after.Nano())
		}
	}
}
