package runtime

import (
	"testing"
	"time"

	"ocr/internal/proof/graphtest"
)

// FuzzMetamorphic is TestMetamorphic with everything chosen by the fuzzer.
func FuzzMetamorphic(f *testing.F) {
	f.Add(uint64(1), uint8(30), uint16(0), uint8(1), uint8(0), false)
	f.Add(uint64(2), uint8(60), uint16(graphtest.Labels), uint8(7), uint8(0b1111), true)
	f.Add(uint64(1_012_617), uint8(19), uint16(0), uint8(2), uint8(0b0101), true)
	f.Fuzz(func(t *testing.T, seed uint64, nodes uint8, without uint16, workers, how uint8, jitter bool) {
		s := setup{opts: []Option{Workers(1 + int(workers%8))}}
		if how&1 != 0 {
			s.opts = append(s.opts, queueCapacities(2, 1<<(how>>4&3)))
		}
		if how&2 != 0 {
			s.opts = append(s.opts, Spin(time.Duration(how>>6)*10*time.Microsecond))
		}
		if how&4 != 0 {
			s.opts = append(s.opts, StealGap(0))
		}
		if how&8 != 0 {
			s.opts = append(s.opts, Bind(BindNone))
		}
		if jitter {
			s.opts = append(s.opts, jittered(seed)...)
		}
		p := graphtest.GenerateWithout(seed, int(nodes), graphtest.Feature(without))
		if diff := differs(p, s); diff != "" {
			t.Error(diff)
		}
	})
}

func FuzzParseBinding(f *testing.F) {
	for _, s := range append([]string{"", "Compact", "compact ", "Binding(7)"}, bindingNames...) {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		b, err := ParseBinding(s)
		if err == nil && b.String() != s {
			t.Errorf("%q parsed as %v", s, b)
		}
		if err != nil && b != 0 {
			t.Errorf("%q: %v with %v", s, b, err)
		}
	})
}
