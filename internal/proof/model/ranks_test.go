package model_test

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"testing"

	"ocr/internal/proof/model"
	"ocr/internal/proof/testrun"
)

// A network is the channels between ranks. A rank takes the messages of another rank in the order in which they were
// sent; no other order is guaranteed.
type network struct{ length, queue [][]model.Word }

const channelRoom = 6

// newNetwork makes a channel from each rank to each other one. A message is a number above 0.
func newNetwork(s *model.System, ranks int) network {
	n := network{make([][]model.Word, ranks), make([][]model.Word, ranks*ranks)}
	for from := range ranks {
		n.length[from] = s.Words(fmt.Sprintf("sent by %d to", from), ranks)
		for to := range ranks {
			if to != from {
				n.queue[from*ranks+to] = s.Words(fmt.Sprintf("%d->%d", from, to), channelRoom)
			}
		}
	}
	return n
}

func (n network) ranks() int { return len(n.length) }

// send puts a message into a channel. It is part of a step of rank from.
func (n network) send(m model.Memory, from, to, message int) {
	at := &m[n.length[from][to]]
	m[n.queue[from*n.ranks()+to][*at]] = int16(message)
	*at++
}

// next returns the message that rank to takes next, 0 for none.
func (n network) next(m model.Memory, from, to int) int {
	return int(m[n.queue[from*n.ranks()+to][0]])
}

func (n network) take(m model.Memory, from, to int) int {
	q := n.queue[from*n.ranks()+to]
	first := m[q[0]]
	for k := range q[1:] {
		m[q[k]] = m[q[k+1]]
	}
	m[q[len(q)-1]] = 0
	m[n.length[from][to]]--
	return int(first)
}

func (n network) empty(m model.Memory) bool {
	for _, row := range n.length {
		for _, w := range row {
			if m[w] != 0 {
				return false
			}
		}
	}
	return true
}

// A rankProgram is the messages that EDTs send. EDT 0 runs on rank 0 from the beginning. Message k makes EDT k run on
// the rank to which it goes; if this is the sender's rank, message k is a call and no message. An EDT sends its
// messages in the order of their numbers, which begin at 1. parent has the sending EDT of each.
type rankProgram struct {
	ranks            int
	parent, from, to []int
}

func (pr *rankProgram) String() string {
	var b strings.Builder
	for k := 1; k < len(pr.to); k++ {
		fmt.Fprintf(&b, " EDT%d:%d->%d", pr.parent[k], pr.from[k], pr.to[k])
	}
	return b.String()
}

// rankPrograms lists all programs with this number of messages over at most this number of ranks. Of programs that
// differ only in the names of ranks it has one.
func rankPrograms(messages, ranks int) (all []*rankProgram) {
	var extend func(pr rankProgram, used int)
	extend = func(pr rankProgram, used int) {
		k := len(pr.to)
		if k > messages {
			all = append(all, &pr)
			return
		}
		for parent := k - 1; ; parent = pr.parent[parent] { // EDTs in the order of a walk over the tree
			from := pr.to[parent]
			for to := range min(used+1, ranks) {
				extend(rankProgram{ranks, append(slices.Clone(pr.parent), parent),
					append(slices.Clone(pr.from), from), append(slices.Clone(pr.to), to)}, max(used, to+1))
			}
			if parent == 0 {
				return
			}
		}
	}
	extend(rankProgram{ranks, []int{0}, []int{0}, []int{0}}, 1)
	return all
}

// explorePrograms is explore for a protocol that carries out programs: it must hold for each, and a
// weakened variant must break for one of them.
func explorePrograms[P any](t *testing.T, programs []P, build func(pr P, weak string) *model.System,
	variants ...variant) {
	t.Helper()
	if testrun.Race() {
		t.Skip("an exploration is one goroutine: the race detector only makes it slow")
	}
	for _, v := range append([]variant{{}}, variants...) {
		t.Run(cmp.Or(v.weak, "as it is"), func(t *testing.T) {
			states := 0
			for n := 0; n < len(programs); n += step(v, len(programs)) {
				pr := programs[n]
				r := build(pr, v.weak).Explore()
				states += r.States
				switch {
				case r.Violation == "":
				case v.breaks == "" || !strings.Contains(r.Violation, v.breaks):
					t.Fatalf("want %q, got %v", v.breaks, r)
				default:
					t.Logf("program %d of %d, %v", n+1, len(programs), r)
					return
				}
			}
			if v.breaks != "" {
				t.Fatalf("holds for all of %d programs, want %q", len(programs), v.breaks)
			}
			t.Logf("holds for some of %d programs in %d states", len(programs), states)
		})
	}
}

// step is 1, but where a protocol must hold for many programs .ci/run explores every fifth, .ci/full each. (Five has no
// factor in common with the numbers of ranks, so all placements are among them.)
func step(v variant, programs int) int {
	if v.breaks == "" && programs > 50 {
		return testrun.Sized(5, 5, 1)
	}
	return 1
}
