package command

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
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
		f.Cmd.ValidArgsFunction = cobra.NoFileCompletions
		source := f.String("runtime", scaffold.Source(), "`DIR` of the runtime's source")
		f.Cmd.Args = func(cmd *cobra.Command, args []string) error {
			own := func(c *Command) bool { return c.Name == args[0] }
			switch {
			case len(args) != 1:
				return cli.Usagef("new: %d arguments: must be one name: %s", len(args), scaffold.Name)
			case !scaffold.IsName(args[0]):
				return cli.Usagef("new %s: not a name: must be %s", report.Plain(args[0]), scaffold.Name)
			case known(cmd.Root(), args) == nil && !slices.ContainsFunc(f.program.Commands, own):
				return cli.Usagef("new %s: every program has a command of that name: must be another", args[0])
			}
			return nil
		}
		return func(_ context.Context, bed *testbed.Bed) (*report.Document, error) {
			app := f.Args[0]
			if err := scaffold.IsSource(*source); err != nil {
				return nil, f.Refuse("runtime", err.Error())
			}
			names, err := scaffold.Write(app, app, *source)
			if errors.Is(err, fs.ErrExist) {
				return nil, cli.Usagef("new %s: there is a file or directory of that name: must be another name", app)
			}
			if err != nil {
				return nil, fmt.Errorf("new %s: %w", app, err)
			}
			_, err = fmt.Fprintf(bed.Stdout, "%s: %s\ntry: cd %s && go test . && go run . %s\n",
				app, strings.Join(names, " "), app, app)
			return nil, err
		}
	},
}
