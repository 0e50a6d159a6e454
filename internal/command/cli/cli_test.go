package cli

import (
	"strings"
	"testing"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"ocr/internal/proof/testrun"
	"ocr/internal/show/report"
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

type config struct {
	Tile   int     `flag:"tile" short:"t" usage:"rows of a tile"`
	Seed   uint64  `flag:"seed" usage:"what is drawn"`
	Share  float64 `flag:"share" usage:"of what differs"`
	Name   string  `flag:"name" short:"N" usage:"what to read"`
	Dense  bool    `flag:"dense" usage:"no zeros"`
	hidden []int
	Other  int
}

func TestStructFlags(t *testing.T) {
	c := config{Tile: 7, Share: 0.5, Name: "x", Other: 3}
	fs := pflag.NewFlagSet("test", pflag.ContinueOnError)
	StructFlags(fs, &c)
	for _, want := range []string{"-t, --tile int", "rows of a tile (default 7)", "--seed uint",
		"--share float", "(default 0.5)", "-N, --name string", `(default "x")`, "--dense"} {
		testrun.Contains(t, fs.FlagUsages(), want)
	}
	testrun.OK(t, fs.Parse(strings.Fields("-t -3 --seed 18446744073709551615 --share 1e3 -N a --dense")))
	want := report.Config{{Key: "tile", Value: -3}, {Key: "seed", Value: uint64(1<<64 - 1)}, {Key: "share", Value: 1e3},
		{Key: "name", Value: "a"}, {Key: "dense", Value: true}}
	testrun.Same(t, want, StructSettings(&c), "settings")
	if c.hidden != nil || c.Other != 3 {
		t.Errorf("a field without a tag was set: %+v", c)
	}
	for args, want := range map[string]string{
		"--tile 1.5":                  "--tile 1.5: must be a whole number",
		"--tile 99999999999999999999": "--tile 99999999999999999999: must be a whole number",
		"--seed -1":                   "--seed -1: must be a whole number in 0..",
		"--tile 0x10":                 "--tile 0x10: must be a whole number",
		"--share a":                   "--share a: must be a number",
		"--share NaN":                 "--share NaN: must be a number",
		"--share +Inf":                "--share +Inf: must be a number",
		"--dense=2":                   "--dense 2: must be true or false",
	} {
		line := strings.Fields(args)
		if err := FlagError(&cobra.Command{Use: "test"}, fs.Parse(line)); !strings.HasPrefix(err.Error(), want) {
			t.Errorf("%s: %v, want %s", args, err, want)
		}
	}
}

func TestStructOfOtherTypes(t *testing.T) {
	defer func() {
		testrun.Equal(t, "cli: --list: a []int cannot be a flag", recover(), "panic")
	}()
	StructFlags(pflag.NewFlagSet("test", pflag.ContinueOnError), &struct {
		List []int `flag:"list"`
	}{})
}
