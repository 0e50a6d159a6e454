package command

import (
	"context"
	"fmt"
	"io"
	"text/tabwriter"

	"ocr/internal/core/cpulist"
	"ocr/internal/measure/machine"
	"ocr/internal/measure/testbed"
	"ocr/internal/show/report"
)

// factCommand makes a command that prints facts, as text or as JSON.
func factCommand(name, short string, more func(*Flags), text func(*Flags, *testbed.Bed, io.Writer) error,
	facts func(*Flags, *testbed.Bed) any,
) *Command {
	return &Command{Name: name, Group: Own, Short: short, Define: func(f *Flags) Body {
		f.OutputFlags("text", "json")
		more(f)
		return func(_ context.Context, bed *testbed.Bed, out *testbed.Output) error {
			return out.Results.Stream(func(w io.Writer) error {
				if f.Format == "text" {
					return text(f, bed, w)
				}
				return report.WriteJSON(w, facts(f, bed))
			})
		}
	}}
}

var (
	versionCommand = factCommand("version", "Print the version, commit and compiler of this build", func(*Flags) {},
		func(f *Flags, _ *testbed.Bed, w io.Writer) error {
			_, err := fmt.Fprintln(w, machine.ReadBuild().Line(f.Program.Name))
			return err
		}, func(*Flags, *testbed.Bed) any { return machine.ReadBuild() })
	listCommand = factCommand("list", "List the apps", func(*Flags) {}, listText, listFacts)
	topoCommand = factCommand("topo", "Show the processors and where workers would be pinned", (*Flags).WorkerFlags,
		topoText, topoFacts)
)

func listText(f *Flags, _ *testbed.Bed, w io.Writer) error {
	t := tabwriter.NewWriter(w, 0, 0, 3, ' ', 0)
	for _, c := range f.Commands {
		fmt.Fprintf(t, "%s\t%s\n", c.Name, c.Short)
	}
	return t.Flush()
}

func listFacts(f *Flags, _ *testbed.Bed) any {
	var all []report.Config
	for _, c := range f.Commands {
		all = append(all, report.Settings("name", c.Name, "short", c.Short))
	}
	return all
}

func topoText(_ *Flags, bed *testbed.Bed, w io.Writer) error {
	m, p := bed.Machine, bed.Pool
	fmt.Fprintf(w, "%vallowed: %s; %d workers on %s, bind %s\n",
		m.Topology, cpulist.Format(m.Allowed), p.Workers, p.CPUList(), p.Bind)
	for worker, cpu := range p.Pins() {
		place := "not pinned"
		if cpu >= 0 {
			place = fmt.Sprint("CPU ", cpu)
		}
		fmt.Fprintf(w, "worker %d: %s\n", worker, place)
	}
	for _, warning := range p.Warnings {
		fmt.Fprintf(w, "warning: %s\n", warning)
	}
	return nil
}

// topoFacts returns the JSON document ocrbench-topo/1. The pin of a worker that is not pinned is -1.
func topoFacts(_ *Flags, bed *testbed.Bed) any {
	t, facts, p := bed.Machine.Topology, bed.Machine.Facts(nil), bed.Pool
	cpus := []report.Config{}
	for _, c := range t.CPUs {
		cpus = append(cpus, report.Settings(
			"id", c.ID, "core", c.Core, "die", c.Die, "package", c.Package, "node", c.Node, "l2", c.L2, "l3", c.L3))
	}
	return report.Settings(
		"schema", "ocrbench-topo/1", "model", facts.CPU, "hypervisor", t.Hypervisor, "sockets", facts.Sockets,
		"cores", facts.Cores, "smt", facts.SMT, "cpus", cpus, "caches", append([]string{}, facts.Caches...),
		"numa", append([]string{}, facts.NUMA...), "governor", facts.Governor, "mask", facts.Mask,
		"workers", p.Workers, "bind", p.Bind.String(), "pins", p.Pins(),
		"warnings", append(append([]string{}, t.Warnings...), p.Warnings...))
}
