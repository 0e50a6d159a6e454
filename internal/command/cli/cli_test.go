package cli

import (
	"strings"
	"testing"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"ocr/internal/proof/testrun"
)

// values are one flag value of each kind, by what makes it.
func values() map[string]func() pflag.Value {
	words := []string{"red", "green", "blue"}
	return map[string]func() pflag.Value{
		"whole":    func() pflag.Value { return Whole(new(int), 1, 9) },
		"wholes":   func() pflag.Value { return Wholes(new([]int), 1, 9) },
		"number":   func() pflag.Value { return Number(new(float64), 0, 1) },
		"duration": func() pflag.Value { return Duration(new(time.Duration), time.Millisecond, time.Second) },
		"seed":     func() pflag.Value { return Seed(new(uint64)) },
		"choice":   func() pflag.Value { return Choice(new(string), words...) },
		"list":     func() pflag.Value { return List(new([]string), words, "all", "none") },
		"many": func() pflag.Value {
			return List(new([]string), strings.Fields("alpha beta gamma delta epsilon zeta eta theta iota"), "", "")
		},
		"bytes":    func() pflag.Value { return Bytes(new(int), 1, 1<<30) },
		"doubling": func() pflag.Value { return Doubling(new([]int), 4096, "lengths") },
	}
}

// TestValues holds that what a value prints is what it reads, and that what it does not
// read leaves it as it was and says what is allowed.
func TestValues(t *testing.T) {
	for _, c := range []struct{ kind, text, want string }{
		{"whole", "7", "7"}, {"wholes", "3,1", "3,1"}, {"number", "0.25", "0.25"}, {"duration", "20ms", "20ms"},
		{"seed", "0x10", "16"}, {"choice", "green", "green"}, {"list", "blue,red", "blue,red"},
		{"list", "all", "red,green,blue"}, {"list", "none", "none"}, {"bytes", "64KiB", "64KiB"}, {"bytes", "1000B", "1000"},
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
		{"wholes", "1,,2", `part "": must be a comma-separated list of whole numbers in 1..9`}, {"number", "NaN",
			"must be a number in 0..1"},
		{"duration", "2", "has no unit, such as ms or s: must be a duration in 1ms..1s"}, {"duration", "2h",
			"must be a duration in 1ms..1s"}, {"seed", "-1", "must be a whole number in 0..18446744073709551615"},
		{"choice", "pink", "must be one of red, green, blue"}, {"choice", "", "must be one of red, green, blue"},
		{"wholes", "3,1,3", "3 is there twice: must be there once"}, {"list", "red,red",
			"red is there twice: must be there once"},
		{"doubling", "8,1:16,8", "8 is there twice: must be there once"},
		{"choice", "gren", "did you mean red or green? must be one of red, green, blue"},
		{"list", "red,bleu",
			"part bleu: did you mean blue? must be a comma-separated list of red, green, blue, or all, or none"},
		{"many", "alpha,iotta", "part iotta: did you mean iota?"}, {"many", "the", "did you mean theta?"},
		{"many", "xyz", "must be a comma-separated list of alpha, beta, gamma, delta, epsilon, zeta, eta, theta, iota"},
		{"list", "red,none", "part none: must stand alone"},
		{"bytes", "2GiB", "must be a size in 1..1GiB"},
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

func TestCompletion(t *testing.T) {
	complete := func(kind, typed string) string {
		return strings.Join(values()[kind]().(interface{ Complete(string) []string }).Complete(typed), " ")
	}
	for _, c := range []struct{ kind, typed, want string }{
		{"choice", "", "red green blue"}, {"list", "", "red green blue all none"},
		{"list", "red,", "red,green red,blue"}, {"list", "red,blue,g", "red,blue,green"}, {"whole", "", ""},
	} {
		testrun.Same(t, c.want, complete(c.kind, c.typed), "%s %q", c.kind, c.typed)
	}
}

// tree returns a root with two commands, and the first of them, which has flags.
func tree() (root, one *cobra.Command) {
	root = &cobra.Command{Use: "ocrbench"}
	one = &cobra.Command{Use: "sizes", Run: func(*cobra.Command, []string) {}}
	root.AddCommand(one, &cobra.Command{Use: "words", Run: func(*cobra.Command, []string) {}})
	one.Flags().Var(Whole(new(int), 1, 9), "size", "")
	one.Flags().VarP(Whole(new(int), 1, 9), "extra", "x", "")
	return root, one
}

// TestSpelled holds that an error names what the user wrote.
func TestSpelled(t *testing.T) {
	for args, want := range map[string]string{"-x 4": "-x", "--extra=4": "--extra", "-x4": "-x", "": "--extra"} {
		_, one := tree()
		l := append(Line{"ocrbench", "sizes"}, strings.Fields(args)...)
		testrun.OK(t, one.ParseFlags(l[2:]))
		testrun.Same(t, want, l.Spelled(one, "extra"), "%q", args)
	}
}

func TestSuggestions(t *testing.T) {
	root, one := tree()
	for given, want := range map[string]string{
		"size":    "unknown command size: did you mean sizes? must be one of sizes, words",
		"WORDS":   "unknown command WORDS: did you mean words? must be one of sizes, words",
		"another": "unknown command another: must be one of sizes, words",
	} {
		testrun.Equal(t, want, UnknownCommand(root, given).Error(), "%s", given)
	}
	l := Line{}
	for flag, want := range map[string]string{
		"--siez=3": "unknown flag --siez: did you mean --size? see ocrbench sizes --help",
		"--qqq":    "unknown flag --qqq: see ocrbench sizes --help",
	} {
		testrun.Equal(t, want, l.FlagError(one, one.ParseFlags([]string{flag})).Error(), "%s", flag)
	}
}
