package command

import (
	"context"
	"fmt"
	"io"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"ocr/internal/cli"
	"ocr/internal/cpulist"
	"ocr/internal/machine"
	"ocr/internal/report"
	"ocr/internal/testbed"
)

func (s *Session) topoCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "topo",
		Short: "Show the processors and where workers would be pinned",
		Args:  cli.NoArgs,
	}
	f := s.FlagsOf(cmd)
	f.WorkerFlags()
	f.OutputFlags("text", "json")
	cmd.RunE = f.Run(func(_ context.Context, bed *testbed.Bed, out *testbed.Output) error {
		return out.Results.Stream(func(w io.Writer) error {
			if f.Format == "json" {
				return report.WriteJSON(w, topoFacts(bed.Machine, bed.Pool))
			}
			_, err := io.WriteString(w, topoText(bed.Machine, bed.Pool))
			return err
		})
	})
	return cmd
}

func topoText(m *machine.Machine, p *testbed.Pool) string {
	var b strings.Builder
	b.WriteString(m.Topology.String())
	fmt.Fprintf(&b, "allowed: %s; %d workers on %s, bind %s\n", cpulist.Format(m.Allowed), p.Workers, p.CPUList(), p.Bind)
	for worker, cpu := range p.Pins() {
		place := "not pinned"
		if cpu >= 0 {
			place = "CPU " + strconv.Itoa(cpu)
		}
		fmt.Fprintf(&b, "worker %d: %s\n", worker, place)
	}
	for _, w := range p.Warnings {
		fmt.Fprintf(&b, "warning: %s\n", w)
	}
	return b.String()
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

func topoFacts(m *machine.Machine, p *testbed.Pool) topology {
	t, facts := m.Topology, m.Facts(nil)
	out := topology{
		Schema: "ocrbench-topo/1",
		Model:  facts.CPU, Hypervisor: t.Hypervisor,
		Sockets: facts.Sockets, Cores: facts.Cores, SMT: facts.SMT, CPUs: []topologyPU{},
		Caches: append([]string{}, facts.Caches...), NUMA: append([]string{}, facts.NUMA...),
		Governor: facts.Governor, Mask: facts.Mask,
		Workers: p.Workers, Bind: p.Bind.String(), Pins: p.Pins(),
		Warnings: append(append([]string{}, t.Warnings...), p.Warnings...),
	}
	for _, c := range t.CPUs {
		out.CPUs = append(out.CPUs, topologyPU{c.ID, c.Core, c.Die, c.Package, c.Node, c.L2, c.L3})
	}
	return out
}
