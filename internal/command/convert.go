package command

import (
	"bytes"
	"context"

	"github.com/spf13/cobra"

	"ocr/internal/cli"
	"ocr/internal/report"
	"ocr/internal/testbed"
)

func (s *Session) convertCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "convert FILE.json",
		Short: "Write a saved result in another format",
		Long: `convert writes a saved result (--format json) as the command that measured it would
have written it: text for people, go for benchstat, or csv with one row a sample.`,
		Example: s.Examples("", "APP --format json -o run.json", "convert run.json", "convert run.json --format go > new.txt && benchstat old.txt new.txt"),
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) != 1 {
				return cli.Usagef("convert: %d arguments: must be one file", len(args))
			}
			return nil
		},
	}
	f := s.FlagsOf(cmd)
	f.OutputFlags("text", "go", "csv")
	f.wideFlag()
	cmd.RunE = f.Run(func(_ context.Context, _ *testbed.Bed, out *testbed.Output) error {
		if err := allApart([]string{f.Args[0], f.output}); err != nil {
			return err
		}
		d, err := readResult(f.Args[0])
		if err != nil {
			return err
		}
		var b bytes.Buffer
		d.Wide = out.Wide
		if err := d.Write(&b, out.Format); err != nil {
			return cli.Usagef("%s: %v", report.Plain(f.Args[0]), err)
		}
		return out.Results.Commit(b.Bytes())
	})
	return cmd
}

// readResult reads a document. The error names the file.
func readResult(path string) (*report.Document, error) {
	d, err := report.Read(path)
	if err != nil {
		return nil, cli.Usagef("%s: %v", report.Plain(path), err)
	}
	return d, nil
}
