package svg

import (
	"encoding/xml"
	"strings"
	"testing"

	"ocr/internal/proof/testrun"
)

func TestTicks(t *testing.T) {
	for _, c := range []struct {
		low, high float64
		want      string
	}{
		{100, 110, "100 102 104 106 108 110"},
		{0, 0, "0 0.2 0.4 0.6 0.8 1"},
		{5, 5, "4.6 4.8 5 5.2 5.4"},
		{1, 900, "1 10 100 1000"},
		{2, 300, "2 5 10 20 50 100 200"},
		{8, 4e6, "10 100 1000 10k 100k 1M"},
		{1e15, 1e15 + 0.25, "900T 950T 1000T 1050T 1100T"},
		{-3, 3, "-2 0 2"},
		{1.5e9, 1.9e9, "1.5G 1.6G 1.7G 1.8G 1.9G"},
	} {
		s := NewScale(c.low, c.high, 0, 1000)
		var got []string
		for _, tick := range s.Ticks(s.Rounds(), Decimal) {
			got = append(got, tick.Label)
			if tick.At < 0 || tick.At > 1000 {
				t.Errorf("%v .. %v: %s is at %v", c.low, c.high, tick.Label, tick.At)
			}
		}
		testrun.Same(t, c.want, strings.Join(got, " "), "ticks of %v .. %v", c.low, c.high)
	}
	if got := NewScale(0, 1000, 0, 20); len(got.Ticks(got.Rounds(), Decimal)) != 1 {
		t.Errorf("a short axis has the numbers %v", got.Ticks(got.Rounds(), Decimal))
	}
}

// TestScaleHasRoom: whatever its range, an axis has its ends and its numbers on it.
func TestScaleHasRoom(t *testing.T) {
	for _, ends := range [][2]float64{
		{-1.7e308, 1.7e308}, {5e-324, 5e-324}, {5e-324, 1.7e308}, {-1e-300, 0}, {1, 1}, {61, 66}, {4, 1 << 22},
		{1e100, 1e100},
	} {
		scales := []Scale{NewScale(ends[0], ends[1], 0, 1000)}
		if ends[0] > 0 {
			scales = append(scales, LogScale(ends[0], ends[1], 0, 1000))
		}
		for _, s := range scales {
			places := append(s.Ticks(s.Rounds(), Decimal), Tick{At: s.At(ends[0])}, Tick{At: s.At(ends[1])})
			for _, at := range places {
				if !(at.At >= 0 && at.At <= 1000) {
					t.Errorf("%+v: %q is at %v", s, at.Label, at.At)
				}
			}
		}
	}
}

func TestBinary(t *testing.T) {
	for v, want := range map[float64]string{0.25: "0.25", 1: "1", 1000: "1000", 4096: "4Ki", 1536: "1.5Ki", 1 << 20: "1Mi",
		1 << 40: "1Ti"} {
		testrun.Same(t, want, Binary(v), "%v", v)
	}
}

// TestTexts: texts are never markup, and what they are drawn with is XML whatever they say.
func TestTexts(t *testing.T) {
	p := &Picture{}
	const odd = "<b> & \"c\" \x00\x1b \xff\xfe \ufffe µs, ≤ 3"
	p.Text(1, 2, "", odd)
	var b strings.Builder
	testrun.OK(t, p.Write(&b, Sans, 10, 10))
	var read struct {
		Text []string `xml:"text"`
	}
	for _, text := range []string{b.String(), p.Inline("x", odd, 10, 10)} {
		read.Text = nil
		if err := xml.Unmarshal([]byte(text), &read); err != nil {
			t.Fatalf("%v in %s", err, text)
		}
		testrun.Same(t, []string{"<b> & \"c\" \ufffd\ufffd \ufffd\ufffd \ufffd µs, ≤ 3"}, read.Text, "text")
	}
}
