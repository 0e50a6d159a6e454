package kernel

import (
	"fmt"
	"slices"
	"strings"
)

// Kind is what a task computes.
type Kind uint8

// The kinds. The zero Kind is [Empty], as in Task Bench.
const (
	Empty Kind = iota
	BusyWait
	MemoryBound
	ComputeBound
	ComputeBound2
	LoadImbalance
)

// names are Task Bench's, in the order of the kinds.
var names = []string{"empty", "busy_wait", "memory_bound", "compute_bound", "compute_bound2", "load_imbalance"}

// Kinds returns the names of all kinds in Task Bench's spelling.
func Kinds() []string { return slices.Clone(names) }

// ParseKind returns the kind with Task Bench's name s. The error lists the names.
func ParseKind(s string) (Kind, error) {
	i := slices.Index(names, s)
	if i < 0 {
		return Empty, fmt.Errorf("must be one of %s", strings.Join(names, ", "))
	}
	return Kind(i), nil
}

// String returns Task Bench's name of the kind.
func (k Kind) String() string {
	if int(k) >= len(names) {
		return fmt.Sprintf("Kind(%d)", uint8(k))
	}
	return names[k]
}
