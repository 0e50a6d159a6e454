package check

import (
	"ocr/edt"
	"ocr/guid"
	"ocr/runtime/finding"
)

// A latch triggers when it reaches zero. A count away from zero is a race if, in some allowed order of the EDTs, the
// latch reaches zero before that count. For a count c away from zero the checker tries one order. It begins with all
// counts back to zero that need not come after c, and with the counts away from zero that happen before these. If the
// latch is then at zero, c is too late. (A worse order for c may leave some of these counts out: it is not tried.)

// A count is a satisfaction of a latch through its slot Incr or Decr. Its node has the causes of the call.
type count struct {
	slot int
	site string
	by   *node // the EDT that made the call, nil for none
	node *node
}

const (
	countsJudged     = 1 << 12 // of a latch
	countSearchLimit = 1 << 20 // EDTs that are visited to order the counts of a latch
)

func (k *Checker) noteCount(e *event, c count) {
	if e.causes = append(e.causes, c.node.causes...); len(e.causes) > countsJudged {
		e.causes = k.condense(e.causes)
	}
	if len(e.counts) <= countsJudged {
		e.counts = append(e.counts, c)
	}
}

// judgeCounts reports counts away from zero that could have come after the trigger of the latch.
func (k *Checker) judgeCounts(id guid.GUID, e *event) {
	away, back := e.divide()
	if len(away) == 0 {
		return
	}
	before, sure := k.orderCounts(away, back)
	if !sure || len(e.counts) > countsJudged {
		k.undecided++
		return
	}
	told := make(map[string]bool)
	for n, c := range away {
		if told[c.site] {
			continue
		}
		left, last := len(back)-len(away), -1 // how far the latch is from zero, and the count that reaches it
		needed := make([]bool, len(away))
		for b := range back {
			if before[b][n] {
				continue
			}
			left, last = left-1, b
			for a, is := range before[b] {
				if is && !needed[a] {
					needed[a] = true
					left++
				}
			}
		}
		if last >= 0 && left <= 0 {
			told[c.site] = true
			k.report(c.racesWith(&back[last], id, e))
		}
	}
}

// divide returns the counts away from zero, and the counts back to zero, of which there are more. The first count of a
// latch that begins at zero counts as its initial value, and is in neither list.
func (e *event) divide() (away, back []count) {
	var slots [2][]count
	for _, c := range e.counts {
		slots[c.slot] = append(slots[c.slot], c)
	}
	ups, downs := slots[edt.Incr], slots[edt.Decr]
	switch {
	case len(ups) < len(downs):
		return ups, downs
	case len(ups) > len(downs):
		return downs, ups
	case len(ups) == 0:
		return nil, nil
	case e.counts[0].slot == edt.Incr:
		return ups[1:], downs
	}
	return downs[1:], ups
}

// orderCounts returns which counts away happen before which counts back: by count back, then by count away. sure is
// false if the history does not go back far enough.
func (k *Checker) orderCounts(away, back []count) (before [][]bool, sure bool) {
	left := countSearchLimit
	for _, b := range back {
		p := b.node.pastOf()
		row := make([]bool, len(away))
		for n, c := range away {
			row[n] = p.hasAll(c.node.causes)
		}
		if left -= p.looked; p.unsure || left < 0 {
			return nil, false
		}
		b.node.past = nil
		before = append(before, row)
	}
	return before, true
}

func (p *past) hasAll(causes []cause) bool {
	for _, c := range causes {
		if p.goBack(c.at); !p.has(c) {
			return false
		}
	}
	return true
}

func (c *count) racesWith(other *count, id guid.GUID, e *event) finding.Finding {
	does, undoes := "up", "down"
	if c.slot != edt.Incr {
		does, undoes = undoes, does
	}
	return other.by.against(c.by.finding(finding.CountRace, c.site, id, e.site,
		"in another order the latch triggers before it is counted "+does+
			" here: the other EDT counts it "+undoes+" first"))
}
