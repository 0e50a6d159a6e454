package guid_test

import (
	"fmt"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"ocr/guid"
	"ocr/internal/core/ids"
	"ocr/internal/proof/testrun"
)

// objectIn draws the GUID of an object of a kind in a run, with a small index and on one of three ranks.
func objectIn(t *rapid.T, run uint32, k guid.Kind) guid.GUID {
	s := ids.NewSpace(run, rapid.SampledFrom([]int{0, 0, 1, 300}).Draw(t, "home"))
	generation := rapid.SampledFrom([]uint64{0, 1, 16, 1<<16 - 1, 1 << 16, 1<<16 + 1, 1 << 29}).Draw(t, "generation")
	return guid.FromWords(high(s, k), 1<<63|generation<<32|rapid.Uint64Range(1, 20).Draw(t, "index"))
}

// TestShortNames: short forms tell objects of a kind and run apart, and are the ends of the texts.
func TestShortNames(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		run, k := ids.NewRun(), guid.Kind(rapid.IntRange(int(guid.KindEDT), int(guid.KindBlock)).Draw(t, "kind"))
		a, b := objectIn(t, run, k), objectIn(t, run, k)
		if (a == b) != (a.Short() == b.Short()) {
			t.Fatalf("%v is %s, %v is %s", a, a.Short(), b, b.Short())
		}
		if short := a.Short(); !strings.HasSuffix(a.String(), short) || len(short) < 4 || len(short) > 27 {
			t.Fatalf("%v is %s", a, short)
		}
	})
	for _, g := range reserved {
		testrun.Equal(t, g.String(), g.Short(), "%v", g)
	}
}

func TestShorten(t *testing.T) {
	const event, edt = "3f6b1c52-0000-8300-8000-000000000001", "3f6b1c52-0000-8100-8000-00030000001f"
	const away, other = "3f6b1c52-0002-8300-8000-000000000001", "4f6b1c52-0000-8300-8000-000000000001"
	for text, want := range map[string]string{
		"":                                     "",
		"nothing":                              "nothing",
		event:                                  "0001",
		"event " + event + ": x":               "event 0001: x",
		"(" + edt + "," + event + ")" + edt:    "(30000001f,0001)30000001f",
		"event " + away:                        "event 0002-8300-8000-000000000001",
		event + " and " + other:                event + " and " + other,
		"x" + event + " " + event + "-" + edt:  "x" + event + " " + event + "-" + edt,
		guid.Null.String() + " " + event:       guid.Null.String() + " 0001",
		"f47ac10b-58cc-4372-a567-0e02b2c3d479": "f47ac10b-58cc-4372-a567-0e02b2c3d479", // of another version
		event[:35]:                             event[:35],
	} {
		testrun.Equal(t, want, guid.Shorten(text), "%s shortened", text)
	}
}

// whole is an error's text with whole GUIDs.
type whole string

func (w whole) Format(f fmt.State, verb rune) { guid.Format(f, verb, string(w)) }

func TestFormat(t *testing.T) {
	w := whole("event 3f6b1c52-0000-8300-8000-000000000001")
	for format, want := range map[string]string{"%v": "event 0001", "%s": "event 0001", "%q": `"event 0001"`,
		"%+v": string(w)} {
		testrun.Equal(t, want, fmt.Sprintf(format, w), "%s", format)
	}
}
