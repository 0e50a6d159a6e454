package trial

import "fmt"

// Parts returns how many parts of this size n things are cut into; the last part may be smaller.
func Parts(n, size int) int { return (n + size - 1) / size }

// Bytes writes a number of bytes in the largest binary unit that gives 1 or more.
func Bytes(n float64) string {
	const units = "KMGTPE"
	if n < 1024 {
		return fmt.Sprintf("%.0f B", n)
	}
	value, unit := n/1024, 0
	for value >= 1024 && unit < len(units)-1 {
		value, unit = value/1024, unit+1
	}
	return fmt.Sprintf("%.1f %ciB", value, units[unit])
}
