package sys

import (
	"errors"
	"fmt"
	"math/bits"
	"slices"

	"golang.org/x/sys/unix"
)

const (
	firstMaskCPUs = 1024
	// maxMaskCPUs ends the search for a mask size that the kernel accepts; Linux is built for 8192 CPUs at most.
	maxMaskCPUs = 1 << 20
)

// GetAffinity returns the CPUs that the calling thread may run on, ascending. The caller should lock its goroutine to
// the thread first: else the goroutine may move to a thread with another mask.
func GetAffinity() ([]int, error) {
	for size := firstMaskCPUs; size <= maxMaskCPUs; size *= 2 {
		set := unix.NewCPUSet(size)
		err := unix.SchedGetaffinityDynamic(0, set)
		if errors.Is(err, unix.EINVAL) {
			continue
		}
		if err != nil {
			return nil, fmt.Errorf("sys: read affinity: %w", err)
		}
		return members(set, size), nil
	}
	return nil, fmt.Errorf("sys: read affinity: the kernel's mask holds more than %d CPUs", maxMaskCPUs)
}

// SetAffinity restricts the calling thread to cpus. The caller must have locked its goroutine to the thread. The kernel
// drops CPUs that are offline or outside the process's cpuset without an error, so SetAffinity reads the mask back. If
// it differs from cpus, the error names both, and the thread keeps the kernel's mask.
func SetAffinity(cpus []int) error {
	size := firstMaskCPUs
	for _, cpu := range cpus {
		if cpu < 0 || cpu >= maxMaskCPUs {
			return fmt.Errorf("sys: set affinity: no CPU %d (allowed: 0 to %d)", cpu, maxMaskCPUs-1)
		}
		size = max(size, cpu+1)
	}
	set := unix.NewCPUSet(size)
	for _, cpu := range cpus {
		set.Set(cpu)
	}
	if err := unix.SchedSetaffinityDynamic(0, set); err != nil {
		return fmt.Errorf("sys: set affinity to CPUs %v: %w", cpus, err)
	}
	got, err := GetAffinity()
	if err != nil {
		return err
	}
	if want := members(set, size); !slices.Equal(got, want) {
		return fmt.Errorf("sys: set affinity: asked for CPUs %v, the kernel allowed %v", want, got)
	}
	return nil
}

func members(set unix.CPUSetDynamic, size int) []int {
	cpus := make([]int, 0, set.Count())
	for at, word := range set {
		for rest := uint(word); rest != 0; rest &= rest - 1 {
			if cpu := at*bits.UintSize + bits.TrailingZeros(rest); cpu < size {
				cpus = append(cpus, cpu)
			}
		}
	}
	return cpus
}
