package taskdot_test

import (
	"fmt"
	"strings"
	"testing"
	"unicode"
)

// A drawing is a graph that was read back.
type drawing struct {
	attributes map[string]string
	nodes      map[string]map[string]string
	edges      []drawnEdge
}

type drawnEdge struct {
	from, to   string
	attributes map[string]string
}

// parse reads the part of Graphviz's language that the package writes, and holds that
// edges are between nodes.
func parse(t *testing.T, text string) *drawing {
	t.Helper()
	p := &parser{tokens: tokens(t, text)}
	d := &drawing{map[string]string{}, map[string]map[string]string{}, nil}
	err := p.graph(d)
	if err != nil {
		t.Fatalf("%v, before %q in\n%s", err, p.tokens, text)
	}
	for _, e := range d.edges {
		if d.nodes[e.from] == nil || d.nodes[e.to] == nil {
			t.Errorf("edge %s -> %s without a node", e.from, e.to)
		}
	}
	return d
}

// tokens splits a text into words, quoted strings and signs.
func tokens(t *testing.T, text string) []string {
	t.Helper()
	var all []string
	for text = strings.TrimSpace(text); text != ""; text = strings.TrimSpace(text) {
		n := 1
		switch first := rune(text[0]); {
		case first == '"':
			for n < len(text) && text[n] != '"' {
				if text[n] == '\n' {
					t.Fatal("a string over two lines")
				}
				if text[n] == '\\' {
					n++
				}
				n++
			}
			n++
		case strings.HasPrefix(text, "->"):
			n = 2
		case first == '_' || unicode.IsLetter(first):
			for n < len(text) && (text[n] == '_' || unicode.IsLetter(rune(text[n])) || unicode.IsDigit(rune(text[n]))) {
				n++
			}
		case first == '.' || unicode.IsDigit(first):
			for n < len(text) && (text[n] == '.' || unicode.IsDigit(rune(text[n]))) {
				n++
			}
		case !strings.ContainsRune("{}[];,=", first):
			t.Fatalf("no token at %.20q", text)
		}
		if n > len(text) {
			t.Fatal("a string without an end")
		}
		all, text = append(all, text[:n]), text[n:]
	}
	return all
}

type parser struct{ tokens []string }

func (p *parser) peek() string {
	if len(p.tokens) == 0 {
		return ""
	}
	return p.tokens[0]
}

func (p *parser) take(want ...string) (string, error) {
	got := p.peek()
	if got == "" {
		return "", fmt.Errorf("the text ends")
	}
	for _, w := range want {
		if got == w {
			p.tokens = p.tokens[1:]
			return got, nil
		}
	}
	if len(want) > 0 {
		return "", fmt.Errorf("want one of %q", want)
	}
	if strings.ContainsAny(got[:1], "{}[];,=-") {
		return "", fmt.Errorf("want a word")
	}
	p.tokens = p.tokens[1:]
	return got, nil
}

// graph reads "digraph NAME { statement; ... }".
func (p *parser) graph(d *drawing) error {
	if _, err := p.take("digraph"); err != nil {
		return err
	}
	if _, err := p.take(); err != nil {
		return err
	}
	if _, err := p.take("{"); err != nil {
		return err
	}
	for p.peek() != "}" {
		if err := p.statement(d); err != nil {
			return err
		}
		if _, err := p.take(";"); err != nil {
			return err
		}
	}
	if len(p.tokens) > 1 {
		return fmt.Errorf("more after the end")
	}
	return nil
}

func (p *parser) statement(d *drawing) error {
	first, err := p.take()
	if err != nil {
		return err
	}
	to := ""
	switch p.peek() {
	case "=":
		p.tokens = p.tokens[1:]
		d.attributes[first], err = p.take()
		return err
	case "->":
		p.tokens = p.tokens[1:]
		if to, err = p.take(); err != nil {
			return err
		}
	}
	attributes, err := p.list()
	switch {
	case to != "":
		d.edges = append(d.edges, drawnEdge{first, to, attributes})
	case first == "node" || first == "edge":
	case d.nodes[first] != nil:
		return fmt.Errorf("node %s twice", first)
	default:
		d.nodes[first] = attributes
	}
	return err
}

// list reads "[key=value, ...]".
func (p *parser) list() (map[string]string, error) {
	if _, err := p.take("["); err != nil {
		return nil, err
	}
	all := map[string]string{}
	for {
		key, err := p.take()
		if err != nil {
			return nil, err
		}
		if _, err = p.take("="); err != nil {
			return nil, err
		}
		if all[key], err = p.take(); err != nil {
			return nil, err
		}
		if end, err := p.take(",", "]"); err != nil || end == "]" {
			return all, err
		}
	}
}
