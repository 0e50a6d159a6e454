package main

import (
	"context"
	"errors"
	"io"

	helloapp "ocr/apps/hello"
	"ocr/internal/command"
	"ocr/internal/measure/testbed"
	"ocr/internal/show/report"
)

var helloApp = &command.Command{
	Name:     "hello",
	Args:     "[NAME...]",
	Short:    "Greet each NAME from an EDT of its own",
	Examples: []string{"Ada Grace --workers 2"},
	Define:   helloCommand,
}

func helloCommand(f *command.Flags) command.Body {
	f.RankFlags()
	f.QuietFlag()
	f.ObserveFlags()
	f.RunFlags(command.Aptness{})
	return func(ctx context.Context, bed *testbed.Bed, out *testbed.Output) error {
		bed.Warn(bed.Pool.Warnings...)
		w := &firstErrorWriter{w: f.Out}
		err := bed.ObserveOnly(ctx, "hello", func(ctx context.Context, o testbed.RunOptions) error {
			_, err := bed.Pool.Run(ctx, helloapp.New(w), o, append([]string{"hello"}, f.Args...)...)
			return err
		})
		if stats := bed.Watch.Report(); err == nil && stats != nil {
			err = stats.WriteText(w, report.Width)
		}
		return out.Write(nil, errors.Join(err, w.err))
	}
}

// firstErrorWriter keeps the first error of w, for a writer that does not look.
type firstErrorWriter struct {
	w   io.Writer
	err error
}

func (o *firstErrorWriter) Write(text []byte) (int, error) {
	n, err := o.w.Write(text)
	if o.err == nil {
		o.err = err
	}
	return n, err
}
