package trial

import (
	"fmt"
	"math"
)

// Parts returns how many parts of this size n things are cut into; the last part may be smaller.
func Parts(n, size int) int { return (n + size - 1) / size }

// Add returns a + b, or the largest number if the sum is larger.
func Add(a, b uint64) uint64 {
	if a > math.MaxUint64-b {
		return math.MaxUint64
	}
	return a + b
}

// Mul returns a * b, or the largest number if the product is larger.
func Mul(a, b uint64) uint64 {
	if b != 0 && a > math.MaxUint64/b {
		return math.MaxUint64
	}
	return a * b
}

// Bytes writes a number of bytes in the largest binary unit that gives 1 or more.
func Bytes(n uint64) string {
	const units = "KMGTPE"
	if n < 1024 {
		return fmt.Sprintf("%d B", n)
	}
	value, unit := float64(n)/1024, 0
	for value >= 1024 && unit < len(units)-1 {
		value, unit = value/1024, unit+1
	}
	return fmt.Sprintf("%.1f %ciB", value, units[unit])
}
