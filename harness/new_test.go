package harness_test

import (
	"io"
	"strings"
	"testing"

	"ocr/apps/trial"
	"ocr/apps/uts"
	"ocr/harness"
	"ocr/internal/command"
)

// seeded is a Config with a seed.
type seeded[T any] struct {
	Seed T `flag:"seed" usage:"where it begins"`
}

func (seeded[T]) Validate() error { return nil }

// sown is an app with such a seed, which no test runs.
func sown[T any]() []*command.Command {
	return []*command.Command{harness.New(harness.About{Name: "sown"},
		func() seeded[T] { return seeded[T]{} }, func(seeded[T]) trial.App { return nil }).(*command.Command)}
}

// TestMistakes holds that a program whose commands are declared wrongly says so in a line, whatever it is asked for.
func TestMistakes(t *testing.T) {
	tree := func(about harness.About) *command.Command {
		return harness.New(about, uts.Defaults, uts.New).(*command.Command)
	}
	for want, commands := range map[string][]*command.Command{
		`command "uts": must have a name of its own`: {
			tree(harness.About{Name: "uts"}), tree(harness.About{Name: "uts"}),
		},
		`command "compare": must have a name of its own`: {
			tree(harness.About{Name: "compare"}),
		},
		`command "help": must have a name of its own`:                                 {tree(harness.About{Name: "help"})},
		`command "": must have a name of its own`:                                     {tree(harness.About{})},
		"harness: sown: the field of --seed is a string: must be an int or a uint64":  sown[string](),
		"harness: sown: the field of --seed is a float64: must be an int or a uint64": sown[float64](),
		"harness: sown: the field of --seed is a bool: must be an int or a uint64":    sown[bool](),
		"harness: uts: About.Small has --size, which is no flag of its Config": {tree(harness.About{Name: "uts",
			Small: map[string]string{"size": "3"}})},
	} {
		var errs strings.Builder
		s := command.Program{Name: "test", Commands: commands}.NewSession([]string{"test", "list"},
			command.IO{Out: io.Discard, Err: &errs})
		if code := s.Run(t.Context()); code != command.ExitFailed || errs.String() != "test: internal error: "+want+"\n" {
			t.Errorf("exit code %d, %q, want %q", code, errs.String(), want)
		}
	}
}
