package command

import (
	"bytes"
	"context"

	"ocr/internal/command/cli"
	"ocr/internal/measure/testbed"
	"ocr/internal/show/page"
	"ocr/internal/show/report"
)

var convertCommand = &Command{
	Name:  "convert",
	Group: Results,
	Args:  "FILE.json",
	Short: "Write a saved result in another format",
	Long: `convert writes a saved result (--format json) as the command that measured it would
have written it: text for people, go for benchstat, or csv with one row a sample.`,
	Examples: []string{"run.json", "run.json --format go > new.txt && benchstat old.txt new.txt"},
	Has:      Text,
	Formats:  []string{"text", "go", "csv"},
	Define: func(f *Flags) Body {
		return func(_ context.Context, bed *testbed.Bed) (*report.Document, error) {
			if len(f.Args) != 1 {
				return nil, cli.Usagef("convert: %d arguments: must be one file", len(f.Args))
			}
			files, err := f.readResults(f.Args)
			if err != nil {
				return nil, err
			}
			var b bytes.Buffer
			if err := bed.Render(&b, files[0]); err != nil {
				return nil, cli.Usagef("%s: %v", report.Plain(f.Args[0]), err)
			}
			return nil, bed.Results.Commit(b.Bytes())
		}
	},
}

var reportCommand = &Command{
	Name:  "report",
	Group: Results,
	Args:  "FILE.json ...",
	Short: "Show saved results as one HTML page",
	Long: `report writes one HTML page of saved results (--format json) of any command. The page
needs no network. It has the machine, what else kept it busy, and the configuration; of
every result the percentiles and the interval of the median; curves if three or more sizes
or numbers of workers were measured, and heat maps of pairs of processors.

Several files follow each other on the page. Compare says what differs between two.`,
	Examples: []string{"run.json -o report.html", "c2c.json metg.json -o report.html"},
	Formats:  []string{"html"},
	Define: func(f *Flags) Body {
		return func(_ context.Context, bed *testbed.Bed) (*report.Document, error) {
			if len(f.Args) == 0 {
				return nil, cli.Usagef("report: no file given: must be one saved result or several")
			}
			files, err := f.readResults(f.Args)
			if err != nil {
				return nil, err
			}
			p, err := page.New(files...)
			if err != nil {
				return nil, cli.Usagef("%v", err)
			}
			return nil, bed.Results.Stream(p.Write)
		}
	},
}

// readResults reads the documents in files. It refuses the file of --output as one of them.
func (f *Flags) readResults(paths []string) (files []*report.Document, err error) {
	for _, path := range paths {
		if f.Bed.Results.Name() != "" && f.Bed.Results.Is(path) {
			return nil, cli.Usagef("%s is read: --output must be another file", report.Plain(path))
		}
		d, err := report.Read(path)
		if err != nil {
			return nil, cli.Usagef("%s: %v", report.Plain(path), err)
		}
		files = append(files, d)
	}
	return files, nil
}
