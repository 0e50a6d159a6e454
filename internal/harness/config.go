package harness

import (
	"fmt"

	"ocr/internal/report"
)

// A ConfigError says that a configuration cannot be run: which setting, and what is
// allowed. A command spells the setting as its user has.
type ConfigError struct {
	Flag  string // long name of the flag, without dashes; empty if no single one is meant
	Value string // of the flag; not told if Flag is empty
	Why   string // "must be ..."
}

func (e *ConfigError) Error() string {
	if e.Flag == "" {
		return e.Why
	}
	return fmt.Sprintf("--%s %s: %s", e.Flag, report.Plain(e.Value), e.Why)
}

// Refuse returns a [*ConfigError].
func Refuse(flag string, value any, why string, args ...any) error {
	return &ConfigError{Flag: flag, Value: fmt.Sprint(value), Why: fmt.Sprintf(why, args...)}
}
