// Package harness makes a command of apps: flags, samples, verification, formats, check mode, traces,
// statistics, drawings, comparison of results, interrupts and completion. ocrbench is built on it.
//
//	func main() {
//		harness.Main(harness.New(harness.About{
//			Name:  "queens",
//			Short: "Count the ways to place n queens on a board",
//			Forms: []string{trial.Serial},
//			Small: map[string]string{"n": "6"},
//		}, queens.Defaults, queens.New))
//	}
//
// The app itself does not depend on this package: it is a [trial.App], with a Config whose fields are flags.
//
//	type Config struct {
//		N int `flag:"n" short:"n" usage:"queens, and rows and columns of the board"`
//	}
//
// The program then has the command queens, with -n and all common flags, and the commands new, compare, report,
// convert, topo, help and completion. apps/README.md explains it step by step.
//
// Only commands import this package: an app does not, so that it may run in a program of any kind.
package harness
