package command

import (
	"io"
	"testing"

	"github.com/spf13/cobra"

	"ocr/internal/measure/testbed"
)

// TestTraceFits holds that no more records are asked for than memory has room for.
func TestTraceFits(t *testing.T) {
	f := Program{Name: "test"}.NewSession([]string{"test"}, IO{Err: io.Discard}).FlagsOf(&cobra.Command{Use: "test"})
	f.WorkerFlags()
	f.ObserveFlags()
	f.Workers, f.Watch.Trace, f.Watch.TraceEvents = 4, &testbed.Sink{}, 1000
	const need = 4 * 1000 * 56
	for memory, fits := range map[uint64]bool{0: true, need: true, need - 1: false, 1: false} {
		err := f.traceFits(memory)
		if (err == nil) != fits {
			t.Errorf("%d bytes: %v", memory, err)
		}
		if memory == need-1 && (err == nil || err.Error() != "--trace-events 1000: records of 56 bytes for each of 4 "+
			"workers do not fit into memory: must be a whole number in 1..999") {
			t.Errorf("error %v", err)
		}
	}
	if f.Watch.Trace = nil; f.traceFits(1) != nil {
		t.Errorf("without a trace: %v", f.traceFits(1))
	}
}
