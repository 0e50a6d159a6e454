package trace

import (
	"encoding/json"
	"testing"
)

func TestMicros(t *testing.T) {
	for m, want := range map[micros]string{0: "0.000", 1: "0.001", 12_345: "12.345", -12_345: "-12.345", -500: "-0.500"} {
		if got, err := json.Marshal(m); err != nil || string(got) != want {
			t.Errorf("%d ns: %s, %v, want %s", int64(m), got, err, want)
		}
	}
}
