package c2c

import "time"

// A mark is what one side of a chain of EDTs notes.
type mark struct {
	start, end    int64
	late          int64 // form Parked: sum of the times from send to start
	before, after Sight
	_             [apart]byte
}

// endOf is what a side saw, as the result has it.
func (m *mark) endOf(elapsed int64) End {
	return End{
		Elapsed:     time.Duration(elapsed),
		CPU:         [2]int{m.before.CPU, m.after.CPU},
		Preemptions: m.after.Preemptions - m.before.Preemptions,
	}
}
