package report

import (
	"encoding/json"
	"fmt"
	"slices"
)

// Setting is one setting of a run. Value is a string, a bool or a number.
type Setting struct {
	Key   string
	Value any
}

// text returns the value as every format writes it: a number as in JSON.
func (s Setting) text() string {
	switch s.Value.(type) {
	case float32, float64:
		if number, err := json.Marshal(s.Value); err == nil {
			return string(number)
		}
	}
	return fmt.Sprint(s.Value)
}

// Config is the settings of a run in the order in which they are shown.
type Config []Setting

// Settings returns a configuration of pairs: a key, which is a string, and its value.
func Settings(pairs ...any) Config { return Config{}.With(pairs...) }

// With returns the configuration with more pairs.
func (c Config) With(pairs ...any) Config {
	c = slices.Clip(c)
	for k := 0; k < len(pairs); k += 2 {
		c = append(c, Setting{pairs[k].(string), pairs[k+1]})
	}
	return c
}

// Text returns the value of a key, "" if there is none.
func (c Config) Text(key string) string {
	for _, s := range c {
		if s.Key == key {
			return s.text()
		}
	}
	return ""
}
