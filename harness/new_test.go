package harness_test

import (
	"io"
	"strings"
	"testing"

	"ocr/apps/nqueens"
	"ocr/harness"
	"ocr/internal/command"
)

// TestMistakes holds that a program whose commands are declared wrongly says so in a line, whatever it is asked for.
func TestMistakes(t *testing.T) {
	queens := func(about harness.About) *command.Command {
		return harness.New(about, nqueens.Defaults, nqueens.New).(*command.Command)
	}
	for want, commands := range map[string][]*command.Command{
		`command "nqueens": must have a name of its own`:                           {queens(harness.About{Name: "nqueens"}), queens(harness.About{Name: "nqueens"})},
		`command "compare": must have a name of its own`:                           {queens(harness.About{Name: "compare"})},
		`command "help": must have a name of its own`:                              {queens(harness.About{Name: "help"})},
		`command "": must have a name of its own`:                                  {queens(harness.About{})},
		"harness: nqueens: About.Small has --size, which is no flag of its Config": {queens(harness.About{Name: "nqueens", Small: map[string]string{"size": "3"}})},
	} {
		var errs strings.Builder
		s := command.Program{Name: "test", Commands: commands}.NewSession([]string{"test", "list"},
			command.IO{Out: io.Discard, Err: &errs}, func(string) (string, bool) { return "", false })
		if code := s.Run(t.Context()); code != command.ExitFailed || errs.String() != "test: internal error: "+want+"\n" {
			t.Errorf("exit code %d, %q, want %q", code, errs.String(), want)
		}
	}
}
