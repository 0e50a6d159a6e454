package taskdot_test

import (
	"testing"

	"gonum.org/v1/gonum/graph/formats/dot"
	"gonum.org/v1/gonum/graph/formats/dot/ast"
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

// parse reads Graphviz's language, and checks that edges are between nodes, and that no node is there twice.
func parse(t *testing.T, text string) *drawing {
	t.Helper()
	f, err := dot.ParseString(text)
	if err != nil || len(f.Graphs) != 1 || !f.Graphs[0].Directed {
		t.Fatalf("%v, in\n%s", err, text)
	}
	d := &drawing{map[string]string{}, map[string]map[string]string{}, nil}
	for _, s := range f.Graphs[0].Stmts {
		switch s := s.(type) {
		case *ast.Attr:
			d.attributes[s.Key] = s.Val
		case *ast.NodeStmt:
			if d.nodes[s.Node.ID] != nil {
				t.Errorf("node %s twice", s.Node.ID)
			}
			d.nodes[s.Node.ID] = attributes(s.Attrs)
		case *ast.EdgeStmt:
			d.edges = append(d.edges, drawnEdge{s.From.String(), s.To.Vertex.String(), attributes(s.Attrs)})
		}
	}
	for _, e := range d.edges {
		if d.nodes[e.from] == nil || d.nodes[e.to] == nil {
			t.Errorf("edge %s -> %s without a node", e.from, e.to)
		}
	}
	return d
}

func attributes(list []*ast.Attr) map[string]string {
	all := map[string]string{}
	for _, a := range list {
		all[a.Key] = a.Val
	}
	return all
}
