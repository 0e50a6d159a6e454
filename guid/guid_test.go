package guid_test

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/uuid"
	"pgregory.net/rapid"

	"ocr/guid"
	"ocr/internal/core/ids"
	"ocr/internal/proof/testrun"
)

// high returns the high word of objects of a kind in a run.
func high(s ids.Space, k guid.Kind) uint64 { return s.High(uint8(k)) }

var reserved = []guid.GUID{guid.Null, guid.Uninitialized, guid.Error}

// anyGUID draws a GUID of a run, or a reserved one.
func anyGUID(t *rapid.T) guid.GUID {
	if n := rapid.IntRange(0, 9).Draw(t, "reserved"); n < len(reserved) {
		return reserved[n]
	}
	s := ids.NewSpace(ids.NewRun(), 0)
	k := guid.Kind(rapid.IntRange(int(guid.KindEDT), int(guid.KindBlock)).Draw(t, "kind"))
	lo := 1<<63 | rapid.Uint64Range(0, 1<<62-1).Draw(t, "lo")
	return guid.FromWords(high(s, k), lo)
}

// TestText: the text of a GUID is that of a UUID of version 8, and can be turned back into the GUID, as its words can.
func TestText(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		g := anyGUID(t)
		got, err := guid.Parse(g.String())
		if err != nil || got != g {
			t.Fatalf("%v: parsed %v, %v", g, got, err)
		}
		text, err := json.Marshal(g)
		if err != nil || string(text) != `"`+g.String()+`"` {
			t.Fatalf("%v: marshalled %s, %v", g, text, err)
		}
		var back guid.GUID
		if err := json.Unmarshal(text, &back); err != nil || back != g {
			t.Fatalf("%v: unmarshalled %v, %v", g, back, err)
		}
		hi, lo := g.Words()
		testrun.Equal(t, g, guid.FromWords(hi, lo), "words %x %x", hi, lo)
		if slices.Contains(reserved, g) {
			return
		}
		u, err := uuid.Parse(g.String())
		if err != nil || u.Version() != 8 || u.Variant() != uuid.RFC4122 || u != g.UUID() {
			t.Fatalf("%v: version %d, variant %v, %v", g, u.Version(), u.Variant(), err)
		}
	})
}

func TestParseErrors(t *testing.T) {
	good := guid.FromWords(high(ids.NewSpace(ids.NewRun(), 0), guid.KindEDT), 1<<63).String()
	for name, s := range map[string]string{
		"empty":           "",
		"short":           good[:35],
		"long":            good + "0",
		"braces":          "{" + good + "}",
		"URN":             "urn:uuid:" + good,
		"no hyphens":      strings.ReplaceAll(good, "-", ""),
		"not hexadecimal": "x" + good[1:],
		"spaces":          strings.Repeat(" ", 36),
		"version 4":       good[:14] + "4" + good[15:],
		"variant":         good[:19] + "0" + good[20:],
	} {
		g, err := guid.Parse(s)
		if err == nil || g != guid.Error {
			t.Errorf("%s: %q parsed as %v", name, s, g)
			continue
		}
		if msg := err.Error(); !strings.HasPrefix(msg, "guid: parse ") || !strings.Contains(msg, s) ||
			strings.Contains(msg, "\n") {
			t.Errorf("%s: message %q", name, msg)
		}
		kept := guid.Null
		if err := kept.UnmarshalText([]byte(s)); err == nil || kept != guid.Null {
			t.Errorf("%s: unmarshalled %v, %v", name, kept, err)
		}
	}
}

func FuzzParse(f *testing.F) {
	for _, g := range reserved {
		f.Add(g.String())
	}
	f.Add(guid.FromWords(high(ids.NewSpace(ids.NewRun(), 0), guid.KindBlock), 1<<63|5).String())
	f.Add(strings.ToUpper(guid.FromWords(0xabcdefabcdef8300, 1<<63|5).String()))
	f.Add("")
	f.Fuzz(func(t *testing.T, s string) {
		g, err := guid.Parse(s)
		if err != nil {
			if g != guid.Error {
				t.Fatalf("%q: %v with %v", s, err, g)
			}
			return
		}
		if !strings.EqualFold(g.String(), s) {
			t.Fatalf("%q parsed as %v", s, g)
		}
	})
}

func TestReservedGUIDs(t *testing.T) {
	for k, g := range reserved {
		if g.IsNull() != (k == 0) || g.IsUninitialized() != (k == 1) || g.IsError() != (k == 2) {
			t.Errorf("%v: Null %v, Uninitialized %v, Error %v", g, g.IsNull(), g.IsUninitialized(), g.IsError())
		}
		if g.Kind() != guid.KindNone {
			t.Errorf("%v: kind %v", g, g.Kind())
		}
	}
	testrun.Equal(t, (guid.GUID{}), guid.Null, "Null")
}

func TestKind(t *testing.T) {
	names := map[guid.Kind]string{
		guid.KindNone: "none", guid.KindEDT: "EDT", guid.KindTemplate: "template", guid.KindEvent: "event",
		guid.KindBlock: "data block", 7: "Kind(7)",
	}
	s := ids.NewSpace(ids.NewRun(), 0)
	for k, name := range names {
		testrun.Equal(t, name, k.String(), "kind %d", k)
		g := guid.FromWords(high(s, k), 1<<63|1)
		if want := k; k == 7 {
			want = guid.KindNone
			testrun.Equal(t, want, g.Kind(), "kind 7")
		} else if g.Kind() != want || g.Home() != 0 {
			t.Errorf("%v: kind %v, home %d", g, g.Kind(), g.Home())
		}
	}
	for _, home := range []int{1, 200, 65535} {
		if g := guid.FromWords(high(s.Of(home), guid.KindEDT), 1<<63); g.Home() != home ||
			g.Kind() != guid.KindEDT {
			t.Errorf("%v: home %d, kind %v, want home %d", g, g.Home(), g.Kind(), home)
		}
	}
}

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
