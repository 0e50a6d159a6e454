package command

import (
	"context"
	"fmt"
	"io"
	"text/tabwriter"

	"ocr/internal/cpulist"
	"ocr/internal/machine"
	"ocr/internal/report"
	"ocr/internal/testbed"
)

// factCommand makes a command that prints facts, as text or as JSON.
func factCommand(name, short string, more func(*Flags), text func(*Flags, *testbed.Bed, io.Writer) error,
	facts func(*Flags, *testbed.Bed) any,
) *Command {
	return &Command{Name: name, Short: short, Define: func(f *Flags) Body {
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
	topoCommand = factCommand("topo", "Show the processors and where workers would be pinned", (*Flags).WorkerFlags, topoText, topoFacts)
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
		all = append(all, report.Config{{Key: "name", Value: c.Name}, {Key: "short", Value: c.Short}})
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
		cpus = append(cpus, report.Config{
			{Key: "id", Value: c.ID}, {Key: "core", Value: c.Core}, {Key: "die", Value: c.Die}, {Key: "package", Value: c.Package},
			{Key: "node", Value: c.Node}, {Key: "l2", Value: c.L2}, {Key: "l3", Value: c.L3},
		})
	}
	return report.Config{
		{Key: "schema", Value: "ocrbench-topo/1"}, {Key: "model", Value: facts.CPU}, {Key: "hypervisor", Value: t.Hypervisor},
		{Key: "sockets", Value: facts.Sockets}, {Key: "cores", Value: facts.Cores}, {Key: "smt", Value: facts.SMT},
		{Key: "cpus", Value: cpus},
		{Key: "caches", Value: append([]string{}, facts.Caches...)}, {Key: "numa", Value: append([]string{}, facts.NUMA...)},
		{Key: "governor", Value: facts.Governor}, {Key: "mask", Value: facts.Mask},
		{Key: "workers", Value: p.Workers}, {Key: "bind", Value: p.Bind.String()}, {Key: "pins", Value: p.Pins()},
		{Key: "warnings", Value: append(append([]string{}, t.Warnings...), p.Warnings...)},
	}
}
