package report

import (
	"fmt"
	"io"
	goruntime "runtime"
	"slices"
	"strings"

	"golang.org/x/perf/benchfmt"
)

// procedural are settings that say how it was sampled, not what: two runs that
// differ in them alone measure the same thing.
var procedural = map[string]bool{"samples": true, "trials": true, "warmup": true, "sample-time": true, "env": true}

// writeGo writes one benchmark line a sample under lines of configuration.
//
// benchstat compares two files only if their configuration agrees, so the configuration
// holds what defines machine, build and run, and no more. What moves from one run to the
// next (the commit, memory, how busy the machine was, where the workers happened to land,
// how often was sampled) goes into comments, which every reader of the format skips.
func (d *Document) writeGo(w io.Writer) error {
	for _, s := range d.comments() {
		if _, err := fmt.Fprintf(w, "# %s: %s\n", s.Key, oneLine(s.Value)); err != nil {
			return err
		}
	}
	out := benchfmt.NewWriter(w)
	for _, unit := range d.rates() {
		meta := benchfmt.UnitMetadata{
			UnitMetadataKey: benchfmt.UnitMetadataKey{Unit: unit, Key: "better"},
			OrigUnit:        unit, Value: "higher",
		}
		if err := out.Write(&meta); err != nil {
			return err
		}
	}
	config := d.fileConfig()
	for _, r := range d.Results {
		for i := range len(r.Metrics[0].Samples) {
			line := benchfmt.Result{Config: config, Name: benchfmt.Name(r.Name), Iters: 1}
			if i < len(r.Runs) {
				line.Iters = r.Runs[i]
			}
			for _, m := range r.Metrics {
				line.Values = append(line.Values, benchfmt.Value{Value: m.Samples[i], Unit: m.Unit})
			}
			if err := out.Write(&line); err != nil {
				return err
			}
		}
	}
	return nil
}

// comments lists what must not keep two files from being compared.
func (d *Document) comments() []Setting {
	list := []Setting{
		{"schema", Schema},
		{"argv", strings.Join(d.Argv, " ")},
		{"version", d.Build.Version},
		{"commit", d.Build.Commit},
		{"dirty", d.Build.Dirty},
		{"placement", placement(d.Machine.Placement)},
		{"clock resolution", fmt.Sprintf("%d ns", d.Machine.ClockResolutionNS)},
		{"numa", strings.Join(d.Machine.NUMA, "; ")},
		{"kernel", d.Machine.Kernel},
		{"gomaxprocs", d.Build.GOMAXPROCS},
		{"verified", d.verified()},
		{"partial", d.Partial},
	}
	if d.Conditions != nil {
		list = append(list, Setting{"load", d.Conditions})
	}
	for _, s := range d.Config {
		if procedural[s.Key] {
			list = append(list, s)
		}
	}
	for _, warning := range d.Warnings {
		list = append(list, Setting{"warning", warning})
	}
	return list
}

func (d *Document) fileConfig() []benchfmt.Config {
	m := d.Machine
	all := []Setting{
		{"goos", goruntime.GOOS}, {"goarch", goruntime.GOARCH}, {"app", d.App},
		{"cpu", m.CPU}, {"sockets", m.Sockets}, {"cores", m.Cores}, {"smt", m.SMT},
		{"caches", strings.Join(m.Caches, "; ")}, {"mask", m.Mask}, {"governor", m.Governor},
		{"go", d.Build.Go}, {"gogc", d.Build.GOGC},
	}
	all = append(all, d.Config...)
	var config []benchfmt.Config
	for _, s := range all {
		value := oneLine(s.Value)
		if value == "" || procedural[s.Key] {
			continue
		}
		config = append(config, benchfmt.Config{Key: strings.ToLower(s.Key), Value: []byte(value), File: true})
	}
	return config
}

// rates lists the units of which more is better: benchstat takes less to be
// better unless the file says so.
func (d *Document) rates() []string {
	var units []string
	for _, r := range d.Results {
		for _, m := range r.Metrics {
			if strings.HasSuffix(m.Unit, "/s") && !slices.Contains(units, m.Unit) {
				units = append(units, m.Unit)
			}
		}
	}
	return units
}

func oneLine(value any) string { return strings.Join(strings.Fields(fmt.Sprint(value)), " ") }
