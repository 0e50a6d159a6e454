package edt

import (
	"slices"

	"ocr/internal/core/word"
)

// localTemplates are the templates of one run, by number. The number of a destroyed
// template is used again once the last EDT that was made from it is freed.
//
// Concurrency: everything is under mu, with one exception. A worker that has an EDT reads the entry of its template in
// the list all without mu: the entry was written before the EDT was created, and stays until the EDT is freed. To make
// the list longer, add stores a longer list with the same entries.
//
// The sum of all workers' counts (Ctx.made), modulo 2^64, says how many EDTs a template has: the worker that creates an
// EDT counts up, the worker that frees it counts down. An open finish scope counts as one EDT more. After a template's
// destruction a new EDT only takes the place of one that calls Again, so once the sum is 0 it stays 0. More EDTs may be
// made of a pinned template, so the pins are asked first. Later calls of add and remove check both.
type localTemplates struct {
	all word.Pointer[[]*Template] // nil if there is none

	mu         word.Mutex
	graphs     []*Graph    // graphs that use the templates: one, or several with ranks in one process
	generation []uint32    // by number: the generation of the next template
	free       []uint32    // numbers without a template
	gone       []*Template // destroyed templates that may have EDTs; the one checked last is last
}

// lookedAt is the number of destroyed templates that each creation or destruction of a template checks: more than one,
// so that their list does not grow.
const lookedAt = 2

// lastTemplateGeneration is the last generation of a number: the number is not used again after it.
const lastTemplateGeneration = 1<<30 - 1

// add gives a template its index. ok is false if no number is left.
func (l *localTemplates) add(t *Template) (ok bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.recycle(lookedAt)
	if len(l.free) == 0 && len(l.generation) == runTemplate {
		l.recycle(len(l.gone))
	}
	var number uint32
	switch last := len(l.free) - 1; {
	case last >= 0:
		number = l.free[last]
		l.free = l.free[:last]
	case len(l.generation) == runTemplate:
		return false
	default:
		number = uint32(len(l.generation))
		l.generation = append(l.generation, 0)
		all := append(l.list(), nil)
		l.all.Store(&all)
	}
	t.of = l
	t.setIndex(runTemplate | number)
	t.generation = l.generation[number]
	l.list()[number] = t
	return true
}

// remove notes that a template is destroyed.
func (l *localTemplates) remove(t *Template) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.gone = append(l.gone, t)
	l.recycle(lookedAt)
}

// recycle checks n destroyed templates, and takes back the numbers of those that have no EDTs.
func (l *localTemplates) recycle(n int) {
	for range min(n, len(l.gone)) {
		t := l.gone[0]
		l.gone = l.gone[1:]
		number := t.index &^ runTemplate
		if t.pins.Load() != 0 || l.inUse(number) {
			l.gone = append(l.gone, t)
			continue
		}
		l.list()[number] = nil
		if l.generation[number]++; l.generation[number] <= lastTemplateGeneration {
			l.free = append(l.free, number)
		}
	}
}

// inUse reports whether there are EDTs of a template.
func (l *localTemplates) inUse(number uint32) bool {
	sum := uint64(0)
	for _, g := range l.graphs {
		for c := range g.workers {
			if int(number) < len(c.made) {
				sum += word.Load(&c.made[number])
			}
		}
	}
	return sum != 0
}

// share lets a further graph use the templates.
func (l *localTemplates) share(g *Graph) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.graphs = append(l.graphs, g)
}

// forget removes a graph that is closed.
func (l *localTemplates) forget(g *Graph) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.graphs = slices.DeleteFunc(l.graphs, func(other *Graph) bool { return other == g })
	if len(l.graphs) == 0 { // the bodies may refer to much memory
		l.all.Store(nil)
		l.gone = nil
	}
}

func (l *localTemplates) list() []*Template {
	if all := l.all.Load(); all != nil {
		return *all
	}
	return nil
}

// of returns the template with a number. There must be an EDT of the template.
func (l *localTemplates) of(number uint32) *Template { return (*l.all.Load())[number] }

// at returns the template with a number, nil if there is none.
func (l *localTemplates) at(number uint32) *Template {
	l.mu.Lock()
	defer l.mu.Unlock()
	if all := l.list(); int(number) < len(all) {
		return all[number]
	}
	return nil
}

// alive lists the templates that were not destroyed. If several graphs share the templates, only the first graph has
// them in its list.
func (l *localTemplates) alive(g *Graph) (alive []*Template) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if g != l.graphs[0] {
		return nil
	}
	for _, t := range l.list() {
		if t != nil && !t.gone.Load() {
			alive = append(alive, t)
		}
	}
	return alive
}

// madeOf returns the worker's count of the EDTs of one of the run's templates.
func (c *Ctx) madeOf(index uint32) *uint64 {
	number := index % runTemplate
	if int(number) >= len(c.made) {
		c.growMade(number)
	}
	return &c.made[number]
}

// countMade adds n to the count that madeOf returns. A template with EDTs keeps its number, also after its destruction.
func (c *Ctx) countMade(index uint32, n int) {
	made := c.madeOf(index)
	word.Publish(made, *made+uint64(n))
}

func (c *Ctx) growMade(number uint32) {
	l := c.local
	l.mu.Lock()
	defer l.mu.Unlock()
	made := make([]uint64, max(2*int(number), 8))
	copy(made, c.made)
	c.made = made
}
