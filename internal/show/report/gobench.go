package report

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"golang.org/x/perf/benchfmt"
)

// writeGo writes one benchmark line a sample under lines of configuration.
//
// benchstat compares two files only if their configuration agrees, so the configuration has what defines machine, build
// and run, and no more. Facts that change from one run to the next (the commit, memory, how busy the machine was, the
// workers' processors, the number of samples) are comments, which readers of the format skip.
func (d *Document) writeGo(w io.Writer) error {
	for _, s := range d.comments() {
		if _, err := fmt.Fprintf(w, "# %s: %s\n", s.Key, oneLine(s.Value)); err != nil {
			return err
		}
	}
	out := benchfmt.NewWriter(w)
	var units []string
	for _, r := range d.Results {
		for _, m := range r.Metrics {
			if BetterOf(m.Unit) != Higher || slices.Contains(units, m.Unit) {
				continue
			}
			units = append(units, m.Unit) // more is better: benchstat's default is less
			key := benchfmt.UnitMetadataKey{Unit: m.Unit, Key: "better"}
			meta := benchfmt.UnitMetadata{UnitMetadataKey: key, OrigUnit: m.Unit, Value: "higher"}
			if err := out.Write(&meta); err != nil {
				return err
			}
		}
	}
	config := d.fileConfig()
	for _, r := range d.Results {
		for i := range r.Metrics[0].Samples {
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

// comments lists the settings that must not make two files incomparable.
func (d *Document) comments() []Setting {
	list := []Setting{
		{"schema", Schema}, {"argv", strings.Join(d.Argv, " ")},
		{"verified", d.verified()}, {"partial", d.Partial},
	}
	for _, f := range d.Facts() {
		if f.Moves {
			list = append(list, Setting{f.Key, f.Value})
		}
	}
	if d.Checked != "" {
		list = append(list, Setting{"checked", d.Checked})
	}
	if d.Conditions != nil {
		list = append(list, Setting{"load", d.Conditions})
	}
	for _, warning := range d.Notes() {
		list = append(list, Setting{"warning", warning})
	}
	return list
}

func (d *Document) fileConfig() []benchfmt.Config {
	facts := append([]Fact{{Key: "goos", Value: d.Build.GOOS}, {Key: "goarch", Value: d.Build.GOARCH}}, d.Facts()...)
	var config []benchfmt.Config
	for _, f := range facts {
		if !f.Moves && f.Value != "" {
			config = append(config, benchfmt.Config{Key: strings.ToLower(f.Key), Value: []byte(f.Value), File: true})
		}
	}
	return config
}
