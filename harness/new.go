package harness

import (
	"cmp"
	"context"
	"slices"

	"ocr/apps/trial"
	"ocr/internal/command"
	"ocr/internal/command/cli"
	"ocr/internal/measure/suite/app"
	"ocr/internal/measure/testbed"
	"ocr/internal/show/report"
)

// About has the texts about an app for its users, and the flags of a short run.
type About struct {
	Name  string // of the command, and first in the names of results
	Short string // a line, for lists and help
	Long  string // what help says
	// Examples are arguments of the command, for help: "-n 14 --cutoff 3".
	Examples []string
	// Forms are the names of the App's forms that run beside the task graph, trial.EDT, if the user does not give --forms.
	Forms []string
	// Small are the flags of a short run, by name, without dashes: --check sets them, unless the user has set one of them.
	Small map[string]string
}

// New makes the command of an app. The fields of its Config with the tag flag are flags of the command; their defaults
// are those of defaults(). makeApp makes the App of the Config that the user has chosen, after Validate has accepted
// it.
func New[C interface{ Validate() error }, A trial.App](about About, defaults func() C, makeApp func(C) A) Command {
	forms := append([]string{trial.EDT}, about.Forms...)
	all := forms
	var a A
	if _, ok := any(a).(trial.Recorder); ok {
		all = append(slices.Clone(forms), trial.EDTRecorded)
	}
	define := func(f *command.Flags) command.Body {
		config, forms := defaults(), slices.Clone(forms)
		cli.StructFlags(f.FlagSet, &config)
		f.Var(cli.List(&forms, all), "forms", "`LIST` of what to run against each other: "+trial.Names(all))
		f.Verdict = func() error {
			return cmp.Or(f.RefuseRecorded(slices.Contains(forms, trial.EDTRecorded)), config.Validate())
		}
		return func(ctx context.Context, bed *testbed.Bed) (*report.Document, error) {
			return app.Run(ctx, bed, app.Config{
				Name: about.Name, Parameters: cli.StructSettings(&config), App: makeApp(config), Forms: forms,
			})
		}
	}
	return &command.Command{
		Name: about.Name, Short: about.Short, Long: about.Long, Examples: about.Examples, Has: command.App,
		Small: about.Small, Define: define,
	}
}
