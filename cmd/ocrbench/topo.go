package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strconv"

	"github.com/spf13/cobra"

	"ocr/internal/cpulist"
	"ocr/internal/machine"
	"ocr/internal/topo"
)

func (s *session) topoCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "topo",
		Short: "Show the processors and where workers would be pinned",
		Args:  noArgs,
	}
	s.workerFlags(cmd)
	s.outputFlags(cmd, "text", "json")
	cmd.RunE = func(cmd *cobra.Command, _ []string) error {
		bed, err := s.prepare(cmd)
		if err != nil {
			return err
		}
		s.begin()
		write := topoText
		if s.options.format == "json" {
			write = topoJSON
		}
		out, err := write(bed.machine, bed.pool)
		if err != nil {
			return err
		}
		return bed.sink.commit(out)
	}
	return cmd
}

// pins returns the CPU of each worker, -1 where it is not pinned. Workers beyond
// the processors start again at the first.
func (p *pool) pins(t *topo.Topology) []int {
	pins := make([]int, p.workers)
	order := t.Order(topo.Compact, p.cpus)
	if p.bind == "scatter" {
		order = t.Order(topo.Scatter, p.cpus)
	}
	for worker := range pins {
		pins[worker] = -1
		if p.bind != "none" {
			pins[worker] = order[worker%len(order)]
		}
	}
	return pins
}

func topoText(m *machine.Machine, p *pool) ([]byte, error) {
	var b bytes.Buffer
	b.WriteString(m.Topology.String())
	fmt.Fprintf(&b, "allowed: %s; %d workers on %s, bind %s\n", cpulist.Format(m.Allowed), p.workers, p.cpuList(), p.bind)
	for worker, cpu := range p.pins(m.Topology) {
		place := "not pinned"
		if cpu >= 0 {
			place = "CPU " + strconv.Itoa(cpu)
		}
		fmt.Fprintf(&b, "worker %d: %s\n", worker, place)
	}
	for _, w := range p.warnings {
		fmt.Fprintf(&b, "warning: %s\n", w)
	}
	return b.Bytes(), nil
}

// topology is the JSON document ocrbench-topo/1.
type topology struct {
	Schema     string       `json:"schema"`
	Model      string       `json:"model"`
	Hypervisor bool         `json:"hypervisor"`
	Sockets    int          `json:"sockets"`
	Cores      int          `json:"cores"`
	SMT        int          `json:"smt"`
	CPUs       []topologyPU `json:"cpus"`
	Caches     []string     `json:"caches"`
	NUMA       []string     `json:"numa"`
	Governor   string       `json:"governor"`
	Mask       string       `json:"mask"`
	Workers    int          `json:"workers"`
	Bind       string       `json:"bind"`
	Pins       []int        `json:"pins"` // CPU of each worker, -1 where it is not pinned
	Warnings   []string     `json:"warnings"`
}

type topologyPU struct {
	ID      int `json:"id"`
	Core    int `json:"core"`
	Die     int `json:"die"`
	Package int `json:"package"`
	Node    int `json:"node"`
	L2      int `json:"l2"`
	L3      int `json:"l3"`
}

func topoJSON(m *machine.Machine, p *pool) ([]byte, error) {
	t, facts := m.Topology, m.Facts(nil)
	out := topology{
		Schema: "ocrbench-topo/1",
		Model:  facts.CPU, Hypervisor: t.Hypervisor,
		Sockets: facts.Sockets, Cores: facts.Cores, SMT: facts.SMT, CPUs: []topologyPU{},
		Caches: append([]string{}, facts.Caches...), NUMA: append([]string{}, facts.NUMA...),
		Governor: facts.Governor, Mask: facts.Mask,
		Workers: p.workers, Bind: p.bind, Pins: p.pins(t),
		Warnings: append(append([]string{}, t.Warnings...), p.warnings...),
	}
	for _, c := range t.CPUs {
		out.CPUs = append(out.CPUs, topologyPU{c.ID, c.Core, c.Die, c.Package, c.Node, c.L2, c.L3})
	}
	text, err := json.MarshalIndent(out, "", "  ")
	return append(text, '\n'), err
}
