package command

import (
	"context"
	"fmt"

	"ocr/internal/core/cpulist"
	"ocr/internal/measure/testbed"
)

var topoCommand = &Command{
	Name: "topo", Group: Own, Short: "Show the processors and where workers would be pinned", Has: Workers | Placement,
	Define: func(f *Flags) Body {
		return func(_ context.Context, bed *testbed.Bed, _ *testbed.Output) error {
			m, p := bed.Machine, bed.Pool
			fmt.Fprintf(f.Out, "%vallowed: %s; %d workers on %s, bind %s\n",
				m.Topology, cpulist.Format(m.Allowed), p.Workers, p.CPUList(), p.Bind)
			for worker, cpu := range p.Pins() {
				place := "not pinned"
				if cpu >= 0 {
					place = fmt.Sprint("CPU ", cpu)
				}
				fmt.Fprintf(f.Out, "worker %d: %s\n", worker, place)
			}
			for _, warning := range p.Warnings {
				fmt.Fprintf(f.Out, "warning: %s\n", warning)
			}
			return nil
		}
	},
}
