package sys

import (
	"testing"

	"golang.org/x/sys/unix"
)

// MachineTime lies between two readings of the machine's clock, but for what the first comparison may be wrong by.
func TestMachineTime(t *testing.T) {
	var before, after unix.Timespec
	for range 100 {
		if err := unix.ClockGettime(unix.CLOCK_MONOTONIC, &before); err != nil {
			t.Fatal(err)
		}
		now := MachineTime()
		if err := unix.ClockGettime(unix.CLOCK_MONOTONIC, &after); err != nil {
			t.Fatal(err)
		}
		if now < before.Nano()-1e6 || now > after.Nano()+1e6 {
			t.Fatalf("%d, between %d and %d", now, before.Nano(), after.Nano())
		}
	}
}
