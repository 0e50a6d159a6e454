package plot

import (
	"encoding/xml"
	"errors"
	"io"
	"strconv"
	"strings"
	"testing"
)

// picture is what a test can see of an SVG.
type picture struct {
	texts   []drawnText
	filled  int            // closed shapes
	strokes map[string]int // lines and outlines by stroke width
	dashed  int
}

type drawnText struct {
	text, fill string
	x, y, size float64
	turned     bool
}

// width is about that of the text.
func (t drawnText) width() float64 { return 0.5 * t.size * float64(len(t.text)) }

// parsePicture reads an SVG whole, so that a fault anywhere in it is found.
func parsePicture(t testing.TB, svg string) picture {
	t.Helper()
	p := picture{strokes: map[string]int{}}
	decoder := xml.NewDecoder(strings.NewReader(svg))
	inText := false
	for {
		token, err := decoder.Token()
		if errors.Is(err, io.EOF) {
			return p
		}
		if err != nil {
			t.Fatalf("not XML: %v", err)
		}
		switch token := token.(type) {
		case xml.StartElement:
			inText = token.Name.Local == "text"
			p.add(token)
		case xml.EndElement:
			inText = false
		case xml.CharData:
			if inText {
				p.texts[len(p.texts)-1].text += string(token)
			}
		}
	}
}

func (p *picture) add(e xml.StartElement) {
	attributes, css := map[string]string{}, map[string]string{}
	for _, a := range e.Attr {
		attributes[a.Name.Local] = a.Value
	}
	for declaration := range strings.SplitSeq(attributes["style"], ";") {
		name, value, _ := strings.Cut(declaration, ":")
		css[strings.TrimSpace(name)] = value
	}
	switch {
	case e.Name.Local == "text":
		number := func(s string) float64 {
			v, _ := strconv.ParseFloat(s, 64)
			return v
		}
		p.texts = append(p.texts, drawnText{
			fill: css["fill"], size: number(strings.TrimSuffix(css["font-size"], "px")), turned: strings.Contains(attributes["transform"], "rotate"),
			x: number(attributes["x"]), y: number(attributes["y"]),
		})
	case e.Name.Local == "path" && css["stroke"] == "":
		p.filled += strings.Count(attributes["d"], "Z")
	case e.Name.Local == "path":
		width := css["stroke-width"]
		if width == "" {
			width = "1" // SVG's default, which is not written
		}
		p.strokes[width]++
		if css["stroke-dasharray"] != "" {
			p.dashed++
		}
	}
}

// count returns how often a text stands in the picture.
func (p picture) count(text string) int {
	n := 0
	for _, t := range p.texts {
		if t.text == text {
			n++
		}
	}
	return n
}

func TestPrintable(t *testing.T) {
	tests := []struct{ in, want string }{
		{"EPYC <7313> & \"co\"", "EPYC <7313> & \"co\""},
		{"two\nlines\x00\x1b", "two lines  "},
		{"bad \xff\xfe bytes", "bad   bytes"},
		{"µs, ≤ 3 \ufffe", "µs, ≤ 3  "},
	}
	for _, tt := range tests {
		if got := printable(tt.in); got != tt.want {
			t.Errorf("printable(%q) = %q, want %q", tt.in, got, tt.want)
		}
	}
}
