package report

import (
	"bytes"
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
	var b bytes.Buffer
	d.writeComments(&b)
	out := benchfmt.NewWriter(&b)
	for _, unit := range d.unitsUpwards() { // benchstat's default is that less is better
		key := benchfmt.UnitMetadataKey{Unit: unit, Key: "better"}
		if err := out.Write(&benchfmt.UnitMetadata{UnitMetadataKey: key, OrigUnit: unit, Value: "higher"}); err != nil {
			return err
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
	_, err := w.Write(b.Bytes())
	return err
}

// unitsUpwards lists the units of which more is better.
func (d *Document) unitsUpwards() (units []string) {
	for _, r := range d.Results {
		for _, m := range r.Metrics {
			if BetterOf(m.Unit) == Higher && !slices.Contains(units, m.Unit) {
				units = append(units, m.Unit)
			}
		}
	}
	return units
}

// writeComments writes what must not make two files incomparable.
func (d *Document) writeComments(b *bytes.Buffer) {
	comment := func(key string, value any) { fmt.Fprintf(b, "# %s: %s\n", key, oneLine(value)) }
	comment("schema", Schema)
	comment("argv", strings.Join(d.Argv, " "))
	comment("verified", d.verified())
	comment("partial", d.Partial)
	for _, f := range d.Facts() {
		if f.Moves {
			comment(f.Key, f.Value)
		}
	}
	if d.Checked != "" {
		comment("checked", d.Checked)
	}
	if d.Conditions != nil {
		comment("load", d.Conditions)
	}
	for _, warning := range d.Notes() {
		comment("warning", warning)
	}
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
