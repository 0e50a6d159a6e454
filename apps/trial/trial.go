// Package trial has what every app needs beside its graph. A trial begins with a Config, which can be refused
// ([ConfigError]); it is timed ([Now]); and its result is verified ([VerifyError]).
package trial

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"

	"ocr/internal/core/sys"
)

// Now returns monotonic nanoseconds, the same on every thread and in every process of the machine, in a form that a
// data block can hold.
func Now() int64 { return sys.MachineTime() }

// ErrIncomplete is the error of a run that ended without a result.
var ErrIncomplete = errors.New("the run ended before its result was there")

// A ConfigError is the error of a Config that an app's Validate refuses: the first parameter that is wrong.
type ConfigError struct {
	App     string // its name as a command: "synch_p2p"
	Flag    string // the parameter's long flag, without hyphens: "strips"
	Graph   int    // the number of the graph that it belongs to, from 1, if there are several; else 0
	About   string // a remark on the value, in brackets; may be empty
	Value   string // as the Config has it
	Reason  string // the reason, if Allowed does not tell it; may be empty
	Allowed string // the allowed values, while the other parameters do not change
}

// Error returns one line that names the flag, its value and what is allowed.
func (e *ConfigError) Error() string {
	return e.App + ": " + e.Line(e.Value)
}

// Line returns the line of Error with the value as the user wrote it, without the app's name.
func (e *ConfigError) Line(value string) string {
	var b strings.Builder
	fmt.Fprintf(&b, "--%s %s", e.Flag, value)
	if e.About != "" {
		fmt.Fprintf(&b, " (%s)", e.About)
	}
	if e.Reason != "" {
		fmt.Fprintf(&b, ": %s", e.Reason)
	}
	fmt.Fprintf(&b, ": must be %s", e.Allowed)
	return b.String()
}

// First returns the first error of several checks, with the app's name; nil if there is none.
func First(app string, checks ...*ConfigError) error {
	for _, e := range checks {
		if e != nil {
			e.App = app
			return e
		}
	}
	return nil
}

// Refuse returns a ConfigError if wrong is true; allowed says what is allowed.
func Refuse(wrong bool, flag string, value any, allowed string) *ConfigError {
	if !wrong {
		return nil
	}
	return &ConfigError{Flag: flag, Value: fmt.Sprint(value), Allowed: allowed}
}

// Because sets the reason of an error, if there is an error.
func Because(reason string, e *ConfigError) *ConfigError {
	if e != nil {
		e.Reason = reason
	}
	return e
}

// A Parameter is a parameter on which the memory depends.
type Parameter struct {
	Flag, About  string
	Value, Usual int
}

// TooLarge refuses the parameter with the greatest ratio to its usual value.
func TooLarge(reason string, parameters ...Parameter) *ConfigError {
	worst := slices.MaxFunc(parameters, func(a, b Parameter) int {
		return cmp.Compare(float64(a.Value)/float64(a.Usual), float64(b.Value)/float64(b.Usual))
	})
	return &ConfigError{
		Flag: worst.Flag, About: worst.About, Value: fmt.Sprint(worst.Value), Reason: reason,
		Allowed: "less, with the other flags as they are",
	}
}

// Tile refuses a tile's side that is above maxSize, or so short that a row has more tiles than the parameter most.
func Tile(tile, size, maxSize, most int) *ConfigError {
	least := max(1, Parts(size, most))
	return Refuse(tile < least || tile > maxSize, "tile", tile,
		fmt.Sprintf("%d..%d: at most %d tiles a side", least, maxSize, most))
}

// Range refuses a number outside low..high.
func Range(flag string, value, low, high int) *ConfigError {
	return Refuse(value < low || value > high, flag, value, fmt.Sprintf("%d..%d", low, high))
}

// OneOf refuses a value that is not in a list.
func OneOf[T comparable](flag string, value T, list ...T) *ConfigError {
	return Refuse(!slices.Contains(list, value), flag, fmt.Sprintf("%q", fmt.Sprint(value)), Names(list))
}

// Names writes a list with commas.
func Names[T any](list []T) string {
	var names []string
	for _, v := range list {
		names = append(names, fmt.Sprint(v))
	}
	return strings.Join(names, ", ")
}

// A VerifyError is the first fault that an app found in its result.
type VerifyError struct {
	App   string
	Where string // "after timestep 3: A(24,49)"
	Got   string
	Want  string
}

// Wrong returns a VerifyError.
func Wrong(app, where string, got, want any) *VerifyError {
	return &VerifyError{App: app, Where: where, Got: fmt.Sprint(got), Want: fmt.Sprint(want)}
}

// SameBits compares two lists of numbers bit for bit. where names the number at an index.
func SameBits(app string, got, want []float64, where func(at int) string) error {
	if len(got) != len(want) {
		return Wrong(app, "how many numbers", len(got), len(want))
	}
	for at := range want {
		if math.Float64bits(got[at]) != math.Float64bits(want[at]) {
			return Wrong(app, where(at), got[at], want[at])
		}
	}
	return nil
}

// Error returns one line.
func (e *VerifyError) Error() string {
	return fmt.Sprintf("%s: wrong result: %s: got %s, expected %s", e.App, e.Where, e.Got, e.Want)
}

// MarshalText writes a VerifyError for a data block, which takes it to another rank.
func (e *VerifyError) MarshalText() ([]byte, error) {
	return []byte(strings.Join([]string{e.App, e.Where, e.Got, e.Want}, "\x00")), nil
}

// UnmarshalText reads the text of MarshalText.
func (e *VerifyError) UnmarshalText(text []byte) error {
	part := strings.Split(string(text), "\x00")
	if len(part) != 4 {
		return fmt.Errorf("%q is no VerifyError", text)
	}
	e.App, e.Where, e.Got, e.Want = part[0], part[1], part[2], part[3]
	return nil
}
