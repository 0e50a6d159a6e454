package kernel

import "fmt"

// Kind is a kind of kernel.
type Kind uint8

// The kinds. The zero Kind is [Empty], as in Task Bench.
const (
	Empty Kind = iota
	BusyWait
	MemoryBound
	ComputeBound
	LoadImbalance
)

// names are Task Bench's, in the order of the kinds.
var names = []string{"empty", "busy_wait", "memory_bound", "compute_bound", "load_imbalance"}

// Kinds returns all kinds, in Task Bench's order.
func Kinds() []Kind {
	return []Kind{Empty, BusyWait, MemoryBound, ComputeBound, LoadImbalance}
}

// String returns Task Bench's name of the kind.
func (k Kind) String() string {
	if int(k) >= len(names) {
		return fmt.Sprintf("Kind(%d)", uint8(k))
	}
	return names[k]
}
