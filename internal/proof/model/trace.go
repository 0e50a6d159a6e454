package model

import (
	"fmt"
	"slices"
	"strings"
)

// trace describes how a state was reached, one step a line, and the values of the words in it.
func (x *explorer) trace(at int32) []string {
	last := x.blank()
	last.decode(x.visits[at].key)
	lines := []string{x.words(last)}
	for s := x.blank(); x.visits[at].from >= 0; at = x.visits[at].from {
		v := &x.visits[at]
		s.decode(x.visits[v.from].key)
		lines = append(lines, x.line(s, v.by))
	}
	slices.Reverse(lines)
	for k := range lines[:len(lines)-1] {
		lines[k] = fmt.Sprintf("%4d  %s", k+1, lines[k])
	}
	return lines
}

func (x *explorer) line(s *state, by move) string {
	pr := x.programs[by.process]
	return fmt.Sprintf("%-10s %s %d", pr.name, x.describe(pr.locals[s.at[by.process]].pending), by.result)
}

func (x *explorer) describe(st *step) string {
	if st.at < 0 {
		return st.text
	}
	return x.names[st.at] + " " + st.text
}

func (x *explorer) words(s *state) string {
	var b strings.Builder
	b.WriteString("  then ")
	for w, v := range s.memory {
		if v != 0 {
			fmt.Fprintf(&b, " %s=%d", x.names[w], v)
		}
	}
	return b.String()
}

// waiting lists the processes that have not ended, and their next steps.
func (x *explorer) waiting(s *state) string {
	var parts []string
	for k, pr := range x.programs {
		if st := pr.locals[s.at[k]].pending; st != nil {
			parts = append(parts, pr.name+" waits at "+x.describe(st))
		}
	}
	return strings.Join(parts, ", ")
}
