package trial

import (
	"math"
	"testing"

	"ocr/internal/proof/testrun"
)

func TestSaturates(t *testing.T) {
	const most = math.MaxUint64
	for _, c := range []struct{ a, b, sum, product uint64 }{
		{2, 3, 5, 6}, {0, most, most, 0}, {most, 0, most, 0}, {most, 1, most, most}, {1, most, most, most},
		{1 << 63, 1 << 63, most, most}, {1 << 32, 1<<32 - 1, 1<<33 - 1, 1<<64 - 1<<32}, {1 << 32, 1 << 32, 1 << 33, most},
	} {
		testrun.Equal(t, c.sum, Add(c.a, c.b), "%d + %d", c.a, c.b)
		if got := Mul(c.a, c.b); got != c.product {
			t.Errorf("%d * %d = %d, want %d", c.a, c.b, got, c.product)
		}
	}
}

func TestBytes(t *testing.T) {
	for n, want := range map[uint64]string{
		0: "0 B", 1023: "1023 B", 1024: "1.0 KiB", 1536: "1.5 KiB", 1 << 20: "1.0 MiB", 6 << 30: "6.0 GiB",
		math.MaxUint64: "16.0 EiB",
	} {
		testrun.Equal(t, want, Bytes(n), "%d", n)
	}
}
