package predict

import (
	"testing"

	"ocr/internal/proof/testrun"
)

// A stop of the thread while a reading is timed does not count.
func TestReading(t *testing.T) {
	now, calls := int64(0), 0
	clock := func() int64 {
		if calls++; calls == 300 {
			now += 5_000_000
		}
		now += 20
		return now
	}
	testrun.Equal(t, 20, reading(clock), "ns a reading")
}
