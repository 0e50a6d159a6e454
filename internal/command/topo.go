package command

import (
	"context"
	"fmt"

	"ocr/internal/core/cpulist"
	"ocr/internal/measure/testbed"
	"ocr/internal/show/report"
)

var topoCommand = &Command{
	Name: "topo", Group: Own, Short: "Show the processors and where workers would be pinned", Has: Workers | Placement,
	Define: func(f *Flags) Body {
		return func(_ context.Context, bed *testbed.Bed) (*report.Document, error) {
			m, p, out := bed.Machine, bed.Pool, bed.Stdout
			fmt.Fprintf(out, "%vallowed: %s; %d workers on %s, bind %s\n",
				m.Topology, cpulist.Format(m.Allowed), p.Workers, p.CPUList(), p.Bind)
			for worker, cpu := range p.Pins() {
				place := "not pinned"
				if cpu >= 0 {
					place = fmt.Sprint("CPU ", cpu)
				}
				fmt.Fprintf(out, "worker %d: %s\n", worker, place)
			}
			for _, warning := range p.Warnings {
				fmt.Fprintf(out, "warning: %s\n", warning)
			}
			return nil, nil
		}
	},
}
