package compare

import (
	"bytes"
	"math"
	"strings"
	"testing"
)

// checkParse holds what must be of whatever is read, and compares it with itself.
func checkParse(t *testing.T, f *File, err error) {
	if err != nil {
		if text := err.Error(); text == "" || strings.ContainsAny(text, "\n\r\x00") {
			t.Fatalf("the error is not one line: %q", text)
		}
		return
	}
	if len(f.Series) == 0 {
		t.Fatal("no series and no error")
	}
	samples := 0
	for _, s := range f.Series {
		if s.Name == "" || s.Unit == "" || len(s.Samples) == 0 {
			t.Fatalf("series %+v", s)
		}
		for _, v := range s.Samples {
			if math.IsNaN(v) || math.IsInf(v, 0) {
				t.Fatalf("%s, %s: %v", s.Name, s.Unit, v)
			}
		}
		samples += len(s.Samples)
	}
	if samples > 200 {
		return // the test of many ties is slow
	}
	c := Compare(f, f, Options{Alpha: 0.05, FailOver: 0})
	if len(c.Differences) > 0 || len(c.Regressions()) > 0 || len(c.Rows) == 0 {
		t.Fatalf("a file and itself: differences %v, regressions %v, %d rows", c.Differences, c.Regressions(), len(c.Rows))
	}
	for _, format := range Formats() {
		if err := c.Write(&bytes.Buffer{}, format); err != nil {
			t.Fatal(err)
		}
	}
}

func FuzzParseJSON(f *testing.F) {
	f.Add([]byte(golden(f, "full.json.golden")))
	f.Add([]byte(golden(f, "partial.json.golden")))
	f.Fuzz(func(t *testing.T, data []byte) {
		file, err := parseJSON(data)
		checkParse(t, file, err)
	})
}

func FuzzParseText(f *testing.F) {
	f.Add([]byte(golden(f, "full.go.golden")))
	f.Add([]byte(golden(f, "partial.go.golden")))
	f.Fuzz(func(t *testing.T, data []byte) {
		file, err := parseText(data)
		checkParse(t, file, err)
	})
}
