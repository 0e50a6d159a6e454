package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"math"
	"os"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"ocr/internal/cli"
	"ocr/internal/compare"
	"ocr/internal/harness"
	"ocr/internal/report"
)

// errRegression says that --fail-over was exceeded: exit code 3.
var errRegression = errors.New("regression")

func (s *session) compareCommand() *cobra.Command {
	o := compare.Options{Alpha: 0.05, FailOver: -1}
	cmd := &cobra.Command{
		Use:   "compare OLD NEW",
		Short: "Compare two saved result files",
		Long: `compare sets the results of two files against each other: JSON documents of
ocrbench (--format json), Go benchmark text (--format go, go test -bench), or one
of each. Results are matched by name and unit.

A difference is significant where the Mann-Whitney U test of the samples gives a
p-value below --alpha. The unit tells what is better: of a time, size or number of
allocations less, of a rate or an efficiency more; of other units neither is.
What differs between the files otherwise (machine, build, configuration) is listed.

Exit codes: 3 where --fail-over is given and a significant change for the worse is
greater; 2 where a file is not a result file or the two have nothing in common.`,
		Example: `  ocrbench synch_p2p --format json -o old.json
  ocrbench synch_p2p --format json -o new.json
  ocrbench compare old.json new.json --fail-over 5%`,
		Args: twoFiles,
	}
	fs := cmd.Flags()
	fs.Var(&share{&o.FailOver}, "fail-over", "exit with 3 where a significant change for the worse is greater than this, as 5%")
	fs.Var(&level{&o.Alpha}, "alpha", "level of significance")
	f := s.flagsOf(cmd)
	f.outputFlags(compare.Formats()...)
	cmd.RunE = f.run(func(_ context.Context, _ *harness.Testbed, out *harness.Output) error {
		before, after, err := readTwo(f.args[0], f.args[1])
		if err != nil {
			return err
		}
		return f.compare(compare.Compare(before, after, o), out.Results)
	})
	return cmd
}

func twoFiles(_ *cobra.Command, args []string) error {
	if len(args) != 2 {
		return cli.Usagef("compare: %d arguments: must be two files, OLD and NEW", len(args))
	}
	return nil
}

func readTwo(before, after string) (*compare.File, *compare.File, error) {
	infoOld, errOld := os.Stat(before)
	infoNew, errNew := os.Stat(after)
	if errors.Join(errOld, errNew) == nil && os.SameFile(infoOld, infoNew) && infoOld.Mode().IsRegular() {
		return nil, nil, cli.Usagef("%s and %s are the same file: must be two", report.Plain(before), report.Plain(after))
	}
	a, err := compare.Read(before)
	if err != nil {
		return nil, nil, cli.Usagef("%s: %v", report.Plain(before), err)
	}
	b, err := compare.Read(after)
	if err != nil {
		return nil, nil, cli.Usagef("%s: %v", report.Plain(after), err)
	}
	return a, b, nil
}

// compare writes the comparison and judges it.
func (s *commonFlags) compare(c *compare.Comparison, k *harness.Sink) error {
	var b bytes.Buffer
	if err := c.Write(&b, s.format); err != nil {
		return err
	}
	if err := k.Commit(b.Bytes()); err != nil {
		return err
	}
	if s.format == "csv" { // which has no place for them
		s.console.Warn(c.Notes()...)
		for _, d := range c.Differences {
			s.console.Warn(d.String())
		}
	}
	if few := c.TooFew(); few > 0 && c.Options.FailOver >= 0 {
		s.console.Warn(fmt.Sprintf("--fail-over: %d of %d comparisons have too few samples to fail", few, len(c.Rows)))
	}
	if len(c.Rows) == 0 {
		return cli.Usagef("%s and %s have no result and unit in common", report.Plain(c.Old.Path), report.Plain(c.New.Path))
	}
	if found := c.Regressions(); len(found) > 0 {
		return regression(found, c.Options.FailOver)
	}
	return nil
}

// regression names the worst of the regressions.
func regression(found []compare.Row, limit float64) error {
	worst := found[0]
	for _, r := range found {
		if math.Abs(r.Change) > math.Abs(worst.Change) {
			worst = r
		}
	}
	by := fmt.Sprintf("%+.1f %%", 100*worst.Change)
	if math.IsInf(worst.Change, 0) {
		by = "was 0"
	}
	return fmt.Errorf("%w: %d significant, worse by more than %v %%: %s, %s: %s", errRegression, len(found), limit, worst.Name, worst.Unit, by)
}

// share is a flag value: a percentage; negative unless set.
type share struct{ p *float64 }

func (v *share) Set(text string) error {
	number, isPercent := strings.CutSuffix(text, "%")
	f, err := strconv.ParseFloat(strings.TrimSpace(number), 64)
	if err != nil || !isPercent || !(f >= 0 && f <= 1000) {
		return errors.New("must be a percentage in 0%..1000%, as 5%")
	}
	*v.p = f
	return nil
}

func (v *share) Type() string { return "PERCENT" }

// String is empty for what is not set: help shows no default then.
func (v *share) String() string {
	if v.p == nil || *v.p < 0 {
		return ""
	}
	return strconv.FormatFloat(*v.p, 'g', -1, 64) + "%"
}

// level is a flag value: a level of significance.
type level struct{ p *float64 }

func (v *level) Set(text string) error {
	f, err := strconv.ParseFloat(text, 64)
	if err != nil || !(f >= compare.MinAlpha && f <= compare.MaxAlpha) {
		return fmt.Errorf("must be a number in %v..%v", compare.MinAlpha, compare.MaxAlpha)
	}
	*v.p = f
	return nil
}

func (v *level) Type() string { return "P" }

func (v *level) String() string {
	if v.p == nil {
		return ""
	}
	return strconv.FormatFloat(*v.p, 'g', -1, 64)
}
