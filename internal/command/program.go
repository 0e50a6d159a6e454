// Package command builds programs whose commands run graphs: a [Program] with its subcommands, and the [Flags] that
// subcommands share, which become a [testbed.Bed].
//
// Package ocr/harness is its public interface. A [Command] for a suite of measurements names the flags that it shares
// with others, and defines its own:
//
//	&command.Command{Name: "suite", Has: command.App, Define: func(f *command.Flags) command.Body {
//		f.Var(cli.Whole(&cfg.Size, 1, 100), "size", "of the problem")
//		return command.Suite(suite.Run, &cfg)
//	}}
package command

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"path/filepath"
	"strings"
	"syscall"

	"ocr/internal/command/cli"
	"ocr/internal/core/sys"
	"ocr/internal/measure/testbed"
	"ocr/internal/rank"
	"ocr/internal/rank/mpi"
	"ocr/internal/show/report"
	"ocr/runtime"
)

// Exit codes of a program.
const (
	ExitOK          = 0
	ExitFailed      = 1
	ExitUsage       = 2
	ExitRegression  = 3
	ExitInterrupted = 130
)

// leastAddresses is an address space that has been enough for every command. The C library, which comes with package
// net, reserves 64 MiB or more of it for each thread. (A build without cgo needs less, about 1 GiB.)
const leastAddresses = 1900 << 20

// A Program is a command line. Commands are its subcommands, without the tools that every program has.
type Program struct {
	Name     string
	Commands []*Command // in the order in which they are listed
	Console  *testbed.Console

	argv []string
	out  *stdout // results, nothing else
}

// A Command is a subcommand of a program.
type Command struct {
	Name     string
	Group    Group  // of commands in help; "" for Apps
	Args     string // arguments, as help shows them; "" for a command that has flags only
	Short    string // a line, for lists and help
	Long     string
	Examples []string // arguments of the command, for help
	Has      Has      // common flags, beside those that it defines
	Formats  []string // of its output, the default first; with Documents all of report.Formats
	Polls    bool     // its EDTs poll, and keep their workers for the whole measurement

	// Small are flags of a short run, which --check sets unless the user has set one of them; may be nil.
	Small map[string]string
	// Define defines the flags of the command, and returns its body.
	Define func(f *Flags) Body
}

// A Body is what a command runs on its testbed, after its flags are parsed. The command writes the document that the
// Body returns, which may be nil, and may come with an error.
type Body func(ctx context.Context, bed *testbed.Bed) (*report.Document, error)

// Suite returns the Body that runs a suite of measurements with the configuration that flags have set.
func Suite[C any](run func(context.Context, *testbed.Bed, C) (*report.Document, error), cfg *C) Body {
	return func(ctx context.Context, bed *testbed.Bed) (*report.Document, error) { return run(ctx, bed, *cfg) }
}

// New returns the program of a command line. The program's name is that of its file, the first of argv.
func New(commands []*Command, argv []string, out, errs io.Writer) *Program {
	name := strings.TrimSuffix(filepath.Base(argv[0]), ".exe")
	return &Program{name, commands, testbed.NewConsole(name, errs), argv, &stdout{Writer: out}}
}

// Main carries out the command line of the process, and returns its exit code.
func Main(commands ...*Command) int {
	if mpi.IsChild() { // this process only takes part in runs
		_, err := rank.Keep(mpi.Ranks())
		fmt.Fprintln(os.Stderr, err)
		return ExitFailed
	}
	p := New(commands, os.Args, os.Stdout, os.Stderr)
	if limit := sys.AddressSpace(); limit != 0 && limit < leastAddresses {
		p.Console.Say("the address space is limited to %d MiB: must be %d MiB or more, see ulimit -v",
			limit>>20, leastAddresses>>20)
		return ExitFailed
	}
	ctx, stop := testbed.Interruptible(context.Background(), p.Console, func() { os.Exit(ExitInterrupted) })
	defer stop()
	quits := make(chan os.Signal, 1)
	signal.Notify(quits, syscall.SIGQUIT)
	defer signal.Stop(quits)
	go func() {
		for range quits {
			if runtime.ReportRuns() == 0 {
				p.Console.Say("no graph is running")
			}
		}
	}()
	return p.Run(ctx)
}

// Run carries out the command line and returns its exit code. Cancelling ctx is the user's interrupt.
func (p *Program) Run(ctx context.Context) (code int) {
	defer func() {
		if fault := recover(); fault != nil {
			p.Console.Say("internal error: %v", fault)
			code = ExitFailed
		}
	}()
	root := p.root()
	root.SetArgs(p.argv[1:])
	err := cmp.Or(root.ExecuteContext(ctx), p.out.lost)
	var usage *cli.UsageError
	switch {
	case err == nil:
		return ExitOK
	case errors.Is(err, testbed.ErrInterrupted) || ctx.Err() != nil && errors.Is(err, context.Canceled):
		for line := range strings.SplitSeq(err.Error(), "\n") { // errors that are joined with the interrupt
			if !strings.Contains(line, testbed.ErrInterrupted.Error()) && !strings.Contains(line, context.Canceled.Error()) {
				p.Console.Say("%s", line)
			}
		}
		p.Console.Say("%v", testbed.ErrInterrupted)
		return ExitInterrupted
	case errors.As(err, &usage):
		p.Console.Say("%s", strings.Join(strings.Fields(err.Error()), " "))
		return ExitUsage
	}
	p.Console.Say("%v", err)
	if errors.Is(err, errRegression) {
		return ExitRegression
	}
	return ExitFailed
}

// stdout is the standard output. It keeps the first error of writing, as some writers of help ignore errors.
type stdout struct {
	io.Writer
	lost error
}

// columns is the width of the terminal behind the standard output, 0 if there is none.
func (o *stdout) columns() int {
	if f, ok := o.Writer.(*os.File); ok {
		return sys.Columns(f)
	}
	return 0
}

func (o *stdout) Write(text []byte) (int, error) {
	n, err := o.Writer.Write(text)
	if err == nil {
		return n, nil
	}
	err = fmt.Errorf("standard output: %w", report.Bare(err))
	o.lost = cmp.Or(o.lost, err)
	return n, err
}
