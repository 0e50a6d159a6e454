package cli

import (
	"strings"
	"testing"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"ocr/internal/proof/testrun"
	"ocr/internal/show/report"
)

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
