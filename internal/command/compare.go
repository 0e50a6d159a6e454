package command

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"ocr/internal/command/cli"
	"ocr/internal/measure/testbed"
	"ocr/internal/show/compare"
	"ocr/internal/show/report"
)

// errRegression is the error of a comparison that exceeds --fail-over: exit code 3.
var errRegression = errors.New("regression")

// comparing holds the flags of compare.
type comparing struct {
	*Flags
	judge compare.Options
	swap  bool // --run
	runs  int
}

var compareCommand = &Command{
	Name:  "compare",
	Group: Results,
	Args:  "OLD NEW | compare --run OLDBIN NEWBIN -- ARGS",
	Short: "Compare two saved results, or two binaries run in turn",
	Long: `compare sets the results of two files against each other: JSON documents (--format json). Results
are matched by name and unit. Of units that say the same thing, such as a time and a rate made of
it, the first is compared.

With --run, it runs two binaries with the same arguments, old, new, new, old, old, new and so on,
--runs times each; a sample is the median of a run, and change the median of the changes from a run
to its partner. Only this says that the binaries differ: samples of one run share its place in
memory and the machine's state, so two files of one binary may differ too. If it is interrupted or a
run fails, what both have completed is compared, and marked partial.

The Mann-Whitney U test of the samples gives p-values; with --run, the sign test of the pairs of
runs does. They are corrected for their number by Holm's method: --alpha is the chance that any row
is called different though none is. The more rows there are, the more samples it takes.

Less of a time or a ratio of times is better, and more of a rate. Rows of plain Go, C and other
runtimes are shown, not judged, and so are counts. If the files record that other processes left one
of them much less of the processors than the other, or check mode, nothing is judged.

Exit codes: 3 if a significant change for the worse is greater than --fail-over;
1 if --fail-over is given and the two are not comparable; 2 if a file is not a result file
or the two have nothing in common.`,
	Examples: []string{"old.json new.json --fail-over 5%", "--run ./old ./new --runs 40 -- APP --forms edt --samples 3"},
	Formats:  []string{"text"},
	Define: func(f *Flags) Body {
		c := &comparing{Flags: f, judge: compare.Options{Alpha: 0.05, FailOver: -1}, runs: 20}
		f.Cmd.Args = c.checkArgs
		f.Var(percent(&c.judge.FailOver), "fail-over",
			"exit with 3 if a significant change for the worse is greater than this, as 5%")
		f.Var(cli.Number(&c.judge.Alpha, compare.MinAlpha, compare.MaxAlpha), "alpha",
			"level of significance, of all rows together")
		f.Func("filter", "compare only results whose name matches `REGEXP`", func(text string) (err error) {
			if text == "" {
				return errors.New("must be a regular expression: without --filter all results are compared")
			}
			if c.judge.Filter, err = regexp.Compile(text); err != nil {
				err = fmt.Errorf("must be a regular expression: %w", err)
			}
			return err
		})
		f.BoolVar(&c.swap, "run", false, "run two binaries in turn, with the arguments behind --")
		f.Var(cli.Whole(&c.runs, 2, 1000), "runs", "runs of each binary with --run")
		return func(ctx context.Context, _ *testbed.Bed) (*report.Document, error) {
			if c.swap {
				return nil, c.alternate(ctx)
			}
			read, err := c.readResults(c.Args)
			if err != nil {
				return nil, err
			}
			var files [2]*compare.File
			for k, d := range read {
				if files[k], err = compare.Of(d); err != nil {
					return nil, cli.Usagef("%s: %v", report.Plain(d.Path), err)
				}
			}
			return nil, c.conclude(compare.Compare(files[0], files[1], c.judge))
		}
	},
}

// checkArgs checks the arguments, and the flags that depend on each other.
func (c *comparing) checkArgs(cmd *cobra.Command, args []string) error {
	dash := cmd.ArgsLenAtDash()
	switch {
	case c.swap && (dash != 2 || len(args) < 3):
		return cli.Usagef("compare --run: must be two binaries, then -- and the arguments to run them with")
	case !c.swap && dash >= 0:
		return cli.Usagef("compare: arguments behind -- are for --run")
	case !c.swap && len(args) != 2:
		return cli.Usagef("compare: %d arguments: must be two files, OLD and NEW", len(args))
	case !c.swap && cmd.Flags().Changed("runs"):
		return cli.Usagef("--runs: is for --run")
	}
	return nil
}

// alternate runs two binaries and compares their results. If the runs end early, it writes the comparison of the rounds
// that both binaries have completed, if there are any, and does not judge it.
func (c *comparing) alternate(ctx context.Context) error {
	for _, binary := range c.Args[:2] {
		if c.Bed.Results.Name() != "" && c.Bed.Results.Is(binary) {
			return cli.Usagef("%s is run: --output must be another file", report.Plain(binary))
		}
		if err := compare.CheckBinary(binary); err != nil {
			return cli.Usagef("%s: %v", report.Plain(binary), err)
		}
	}
	before, after, err := compare.Alternate(ctx, [2]string(c.Args[:2]), c.Args[2:], c.runs, func(binary string, run int) {
		c.Bed.Announce("run %d of %d: %s", run, c.runs, report.Plain(binary))
	}, func(before, after *compare.File) error { return c.rows(compare.Compare(before, after, c.judge)) })
	if before == nil {
		return err
	}
	found := compare.Compare(before, after, c.judge)
	if err != nil {
		return errors.Join(c.write(found, true), err)
	}
	return c.conclude(found)
}

func (c *comparing) write(found *compare.Comparison, partial bool) error {
	var b bytes.Buffer
	if err := found.Write(&b); err != nil {
		return err
	}
	return c.Bed.Commit(b.Bytes(), partial)
}

// rows refuses a comparison without rows.
func (c *comparing) rows(found *compare.Comparison) error {
	common := report.Plain(found.Old.Path) + " and " + report.Plain(found.New.Path)
	switch {
	case len(found.Rows) == 0 && c.judge.Filter != nil:
		return cli.Usagef("--filter %s: no result that %s have in common matches", report.Plain(c.judge.Filter.String()),
			common)
	case len(found.Rows) == 0:
		return cli.Usagef("%s have no result and unit in common", common)
	}
	return nil
}

// conclude writes a comparison and judges it.
func (c *comparing) conclude(found *compare.Comparison) error {
	err := c.rows(found)
	if err == nil {
		err = c.write(found, false)
	}
	if err != nil {
		return err
	}
	gate := c.judge.FailOver >= 0
	if few := len(found.TooFew()); few > 0 && gate {
		c.Bed.Warn(fmt.Sprintf("--fail-over: %d of %d comparisons have too few samples to fail", few, len(found.Judged())))
	}
	switch regressions := found.Regressions(); {
	case gate && found.NotComparable != "":
		return fmt.Errorf("not comparable: %s", found.NotComparable)
	case len(regressions) > 0:
		return regression(regressions, c.judge.FailOver)
	}
	if wide := len(found.TooWide()); wide > 0 && gate {
		c.Bed.Warn(fmt.Sprintf("%d of %d comparisons vary too much for --fail-over %v%%, or have medians against ranks: "+
			"take more samples on a quiet machine", wide, len(found.Judged()), c.judge.FailOver))
	}
	return nil
}

// regression returns the error that names the worst of the regressions.
func regression(found []*compare.Row, limit float64) error {
	worst := slices.MaxFunc(found,
		func(a, b *compare.Row) int { return cmp.Compare(math.Abs(a.Change), math.Abs(b.Change)) })
	by := fmt.Sprintf("%+.1f %%", 100*worst.Change)
	if math.IsInf(worst.Change, 0) {
		by = "was 0"
	}
	return fmt.Errorf("%w: %d significant, worse by more than %v %%: %s, %s: %s", errRegression, len(found), limit,
		worst.Name, worst.Unit, by)
}

// percent makes a flag value of a percentage. If *p is negative, help shows no default.
func percent(p *float64) *cli.Value[float64] {
	return cli.New(p, "PERCENT", func(text string) (float64, error) {
		number, isPercent := strings.CutSuffix(text, "%")
		f, err := strconv.ParseFloat(strings.TrimSpace(number), 64)
		if err != nil || !isPercent || !(f >= 0 && f <= 1000) {
			return 0, errors.New("must be a percentage in 0%..1000%, as 5%")
		}
		return f, nil
	}, func(f float64) string {
		if f < 0 {
			return ""
		}
		return strconv.FormatFloat(f, 'g', -1, 64) + "%"
	})
}
