package command

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"ocr/internal/command/cli"
	"ocr/internal/command/scaffold"
	"ocr/internal/measure/testbed"
	"ocr/internal/show/report"
)

var newCommand = &Command{
	Name:  "new",
	Group: Own,
	Args:  "NAME",
	Short: "Write a module with an app of your own, its tests and its command",
	Long: `Write a module into the new directory NAME: an app in package task, with a plain loop to
measure it against, its tests, and a command that has what this one has. The module uses the
runtime's source by a replace directive in its go.mod. Change the app into your own.`,
	Examples: []string{"hello"},
	Define: func(f *Flags) Body {
		var source string
		f.Cmd.ValidArgsFunction = cobra.NoFileCompletions
		f.StringVar(&source, "runtime", "", "`DIR` of the runtime's source, if not that from which this program was built")
		if err := f.Cmd.MarkFlagDirname("runtime"); err != nil {
			panic(err)
		}
		return func(context.Context, *testbed.Bed, *testbed.Output) error {
			app, err := f.newApp()
			if err != nil {
				return err
			}
			if source, err = f.sourceOf(source); err != nil {
				return err
			}
			names, err := scaffold.Write(app, app, source)
			if err != nil {
				return fmt.Errorf("new %s: %w", app, err)
			}
			_, err = fmt.Fprintf(f.Out, "%s: %s\ntry: cd %s && go test . && go run . %s\n",
				app, strings.Join(names, " "), app, app)
			return err
		}
	},
}

// newApp returns the app's name, if it may have it and its directory can be made.
func (f *Flags) newApp() (string, error) {
	switch args := f.Args; {
	case len(args) == 0:
		return "", cli.Usagef("new: no name given: must be %s", scaffold.Name)
	case len(args) > 1:
		return "", cli.Usagef("new: unexpected argument %s: there is one name", report.Plain(args[1]))
	}
	app := f.Args[0]
	if !scaffold.IsName(app) {
		return "", cli.Usagef("new %s: not a name: must be %s", report.Plain(app), scaffold.Name)
	}
	isTool := func(c *cobra.Command) bool { return c.Name() == app }
	own := slices.ContainsFunc(f.Commands, func(c *Command) bool { return c.Name == app })
	if slices.ContainsFunc(f.Cmd.Root().Commands(), isTool) && !own {
		return "", cli.Usagef("new %s: every program has a command of that name: must be another", app)
	}
	if err := scaffold.IsFree(app); err != nil {
		return "", cli.Usagef("new %s: the directory cannot be made: %v", app, err)
	}
	return app, nil
}

// sourceOf returns where the runtime's source is: what --runtime says, or else what this program was built from.
func (f *Flags) sourceOf(given string) (string, error) {
	if f.Changed("runtime") {
		if err := scaffold.IsSource(given); err != nil {
			return "", f.Refuse("runtime", fmt.Sprintf("%v: must be a directory with the source of module ocr", err))
		}
		return given, nil
	}
	if built := scaffold.Source(); built != "" {
		return built, nil
	}
	return "", cli.Usagef("new: the source from which this program was built is not here: give it by --runtime DIR")
}
