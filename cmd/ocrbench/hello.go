package main

import (
	"cmp"
	"context"
	"io"

	helloapp "ocr/apps/hello"
	"ocr/internal/command"
	"ocr/internal/measure/testbed"
	"ocr/internal/show/report"
	"ocr/runtime"
)

var helloApp = &command.Command{
	Name:     "hello",
	Args:     "[NAME...]",
	Short:    "Greet each NAME from an EDT of its own",
	Examples: []string{"Ada Grace --workers 2"},
	Has:      command.App &^ (command.Samples | command.Documents),
	Define: func(f *command.Flags) command.Body {
		return func(ctx context.Context, bed *testbed.Bed) (*report.Document, error) {
			bed.Warn(bed.Pool.Warnings...)
			err := bed.Observed("hello", func() error {
				argv := append([]string{"hello"}, f.Args...)
				return bed.RunGraph(ctx, helloapp.New(bed.Stdout), new(runtime.Report), argv...)
			})
			if _, stats := bed.Watch.Figures(); err == nil {
				_, err = io.WriteString(bed.Stdout, report.Sections(stats, cmp.Or(bed.Columns, report.Width)))
			}
			return nil, err
		}
	},
}
