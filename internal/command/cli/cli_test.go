package cli

import (
	"strings"
	"testing"
	"time"

	"github.com/spf13/pflag"
)

// values returns functions that make a flag value each, by a word for its kind. It has most kinds.
func values() map[string]func() pflag.Value {
	words := []string{"red", "green", "blue"}
	return map[string]func() pflag.Value{
		"whole":    func() pflag.Value { return Whole(new(int), 1, 9) },
		"number":   func() pflag.Value { return Number(new(float64), 0, 1) },
		"duration": func() pflag.Value { return Duration(new(time.Duration), time.Millisecond, time.Second) },
		"choice":   func() pflag.Value { return Choice(new(string), words...) },
		"list":     func() pflag.Value { return ListOrAll(new([]string), words) },
		"many": func() pflag.Value {
			return List(new([]string), strings.Fields("alpha beta gamma delta epsilon zeta eta theta iota"))
		},
		"doubling": func() pflag.Value { return Doubling(new([]int), 4096, "lengths") },
	}
}

// TestValues: a value reads what it prints; a text that it refuses leaves it unchanged, and the error says what is
// allowed.
func TestValues(t *testing.T) {
	for _, c := range []struct{ kind, text, want string }{
		{"whole", "7", "7"}, {"number", "0.25", "0.25"}, {"duration", "20ms", "20ms"},
		{"choice", "green", "green"}, {"list", "blue,red", "blue,red"},
		{"list", "all", "red,green,blue"},
		{"doubling", "64,1:16,8", "1:16,64"}, {"doubling", "512,64", "64,512"}, {"doubling", "4KiB", "4KiB"},
	} {
		v := values()[c.kind]()
		if err := v.Set(c.text); err != nil || v.String() != c.want {
			t.Errorf("%s %s = %q, %v, want %q", c.kind, c.text, v, err, c.want)
		}
		again := values()[c.kind]()
		if err := again.Set(v.String()); err != nil || again.String() != v.String() {
			t.Errorf("%s: %q reads back as %q, %v", c.kind, v, again, err)
		}
	}
	for _, c := range []struct{ kind, text, why string }{
		{"whole", "1e3", "must be a whole number in 1..9"}, {"whole", "10", "must be a whole number in 1..9"},
		{"number", "NaN", "must be a number in 0..1"},
		{"duration", "2", "must be a duration, as 10ms, in 1ms..1s"},
		{"duration", "2h", "must be a duration, as 10ms, in 1ms..1s"},
		{"choice", "pink", "must be one of red, green, blue"}, {"choice", "", "must be one of red, green, blue"},
		{"list", "red,red", "red is there twice: must be there once"},
		{"list", "red,,blue", `part "": must be a comma-separated list of red, green, blue, or all`},
		{"doubling", "8,1:16,8", "8 is there twice: must be there once"},
		{"choice", "gren", "did you mean red or green? must be one of red, green, blue"},
		{"list", "red,bleu",
			"part bleu: did you mean blue? must be a comma-separated list of red, green, blue, or all"},
		{"many", "alpha,iotta", "part iotta: did you mean iota?"}, {"many", "the", "did you mean theta?"},
		{"many", "xyz", "must be a comma-separated list of alpha, beta, gamma, delta, epsilon, zeta, eta, theta, iota"},
		{"doubling", "4,0",
			"part 0: must be a comma-separated list of lengths and doubling ranges of them, as 8,16:256, within 1..4KiB"},
	} {
		v := values()[c.kind]()
		before := v.String()
		if err := v.Set(c.text); err == nil || err.Error() != c.why || v.String() != before {
			t.Errorf("%s %q: %v, now %q, want %q", c.kind, c.text, err, v, c.why)
		}
	}
}
