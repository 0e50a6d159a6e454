package trial

import (
	"testing"

	"ocr/internal/proof/testrun"
)

func TestBytes(t *testing.T) {
	for n, want := range map[float64]string{
		0: "0 B", 1023: "1023 B", 1024: "1.0 KiB", 1536: "1.5 KiB", 1 << 20: "1.0 MiB", 6 << 30: "6.0 GiB",
		1 << 64: "16.0 EiB", 1 << 80: "1048576.0 EiB",
	} {
		testrun.Equal(t, want, Bytes(n), "%v", n)
	}
}
