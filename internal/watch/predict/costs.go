package predict

import (
	"fmt"
	"slices"
	"strings"
	"time"
)

// Costs are what the modelled steps of package runtime take.
type Costs struct {
	EDT    time.Duration // to take an EDT from the worker's own lists and to begin it
	Send   time.Duration // that the sender of a hand-off pays
	Hop    time.Duration // from there until the receiver has it
	Steal  time.Duration // to take an EDT from another worker
	Wake   time.Duration // that a worker pays to wake another one
	Waking time.Duration // until that one runs
	Spin   time.Duration // no cost: how long an idle worker searches before it parks
	Gap    time.Duration // no cost: the least time between two looks of a thief
}

// Free are the costs of a runtime that takes no time: every EDT begins as soon as it is ready and a worker is idle.
func Free() Costs { return Costs{Spin: 1 << 62} }

type named struct {
	name string
	cost *time.Duration
}

func (c *Costs) all() []named {
	return []named{{"edt", &c.EDT}, {"send", &c.Send}, {"hop", &c.Hop}, {"steal", &c.Steal}, {"wake", &c.Wake},
		{"waking", &c.Waking}, {"spin", &c.Spin}, {"gap", &c.Gap}}
}

// String writes the costs as [Costs.Set] reads them.
func (c Costs) String() string {
	var items []string
	for _, n := range c.all() {
		items = append(items, fmt.Sprintf("%s=%v", n.name, *n.cost))
	}
	return strings.Join(items, ",")
}

// Set sets the cost that an item such as "wake=5us" names. The error says what is allowed.
func (c *Costs) Set(item string) error {
	name, value, _ := strings.Cut(item, "=")
	all := c.all()
	k := slices.IndexFunc(all, func(n named) bool { return n.name == name })
	if k < 0 {
		return fmt.Errorf("must be one of edt, send, hop, steal, wake, waking, spin, gap, with its time, as wake=5us")
	}
	d, err := time.ParseDuration(value)
	if err != nil || d < 0 || d > time.Hour {
		return fmt.Errorf("must be a time from 0s to 1h with its unit, as %s=5us", name)
	}
	*all[k].cost = d
	return nil
}
