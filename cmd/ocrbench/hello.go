package main

import (
	"context"
	"errors"
	"io"

	"github.com/spf13/cobra"

	helloapp "ocr/apps/hello"
)

var hello = app{
	name:    "hello",
	short:   "Greet each NAME from an EDT of its own",
	command: helloCommand,
}

func helloCommand(s *session) *cobra.Command {
	cmd := &cobra.Command{
		Use:     "hello [NAME...]",
		Example: "  ocrbench hello Ada Grace --workers 2",
	}
	s.workerFlags(cmd)
	cmd.Flags().BoolVar(&s.options.quiet, "quiet", false, "no warnings on standard error")
	twin(cmd.Flags(), "quiet")
	s.observeFlags(cmd)
	cmd.RunE = func(cmd *cobra.Command, names []string) error {
		m, err := s.readMachine()
		if err != nil {
			return err
		}
		p, err := s.pool(cmd, m)
		if err != nil {
			return err
		}
		w, err := s.watch(cmd)
		if err != nil {
			return err
		}
		s.begin()
		s.warn(p.warnings)
		out := &watchedWriter{w: s.stdio.out}
		err = w.around(cmd.Context(), s, "hello", func(ctx context.Context) error {
			return p.run(ctx, helloapp.New(out), nil, append([]string{"hello"}, names...)...)
		})
		if stats := w.report(); err == nil && stats != nil {
			err = stats.WriteText(out)
		}
		return errors.Join(err, out.err)
	}
	return cmd
}

// watchedWriter keeps the first error of w, for a writer that does not look.
type watchedWriter struct {
	w   io.Writer
	err error
}

func (o *watchedWriter) Write(text []byte) (int, error) {
	n, err := o.w.Write(text)
	if o.err == nil {
		o.err = err
	}
	return n, err
}
