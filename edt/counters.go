package edt

// Counters count what EDT code did in a run, each worker for itself.
type Counters struct {
	EDTCreated, EDTRun, EDTDestroyed   uint64 // destroyed: by a call, never run
	EventCreated, EventDestroyed       uint64 // destroyed: by a call or by itself
	EventSatisfied                     uint64 // calls of Satisfy and SatisfySlot
	BlockCreated, BlockDestroyed       uint64
	TemplateCreated, TemplateDestroyed uint64 // templates of the run
	DependenceAdded                    uint64 // calls of AddDependence
}

// Add adds the counts of d to c.
func (c *Counters) Add(d *Counters) {
	c.EDTCreated += d.EDTCreated
	c.EDTRun += d.EDTRun
	c.EDTDestroyed += d.EDTDestroyed
	c.EventCreated += d.EventCreated
	c.EventDestroyed += d.EventDestroyed
	c.EventSatisfied += d.EventSatisfied
	c.BlockCreated += d.BlockCreated
	c.BlockDestroyed += d.BlockDestroyed
	c.TemplateCreated += d.TemplateCreated
	c.TemplateDestroyed += d.TemplateDestroyed
	c.DependenceAdded += d.DependenceAdded
}

// Map returns the counts by name, as reports print them.
func (c Counters) Map() map[string]uint64 {
	return map[string]uint64{
		"edt.created":        c.EDTCreated,
		"edt.run":            c.EDTRun,
		"edt.destroyed":      c.EDTDestroyed,
		"event.created":      c.EventCreated,
		"event.destroyed":    c.EventDestroyed,
		"event.satisfied":    c.EventSatisfied,
		"block.created":      c.BlockCreated,
		"block.destroyed":    c.BlockDestroyed,
		"template.created":   c.TemplateCreated,
		"template.destroyed": c.TemplateDestroyed,
		"dependence.added":   c.DependenceAdded,
	}
}
