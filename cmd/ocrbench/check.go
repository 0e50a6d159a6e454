package main

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"

	"github.com/spf13/cobra"

	"ocr/runtime"
)

// uncheckable are the apps that have no check mode, and why.
var uncheckable = map[string]string{
	metgName:     "it measures how small tasks may be, which check mode makes many times slower",
	overheadName: "it measures what the runtime costs, which check mode hides",
}

// eased are the settings that check mode changes where the user has not chosen them: it
// is slow, and one run of a problem is enough.
var eased = map[string]map[string]string{
	"":        {"samples": "1", "warmup": "0", "sample-time": "1us"},
	synchName: {"forms": formEDT},
	c2cName: {
		"trials": "1", "warmup": "10", "stim-len": "100",
		"forms": "polled,edt,edt-chain,edt-local", "baseline": noBaseline,
	},
	pgasName: {
		"iters": "4", "max-time": "20ms", "baseline": noBaseline, "sizes": "8,64KiB",
	},
	taskbenchName: {"no-floor": "true"},
}

// timesMeanNothing marks figures that were taken in check mode.
const timesMeanNothing = "check mode: times are not comparable"

// A checking gathers what check mode finds in the runs of a command.
type checking struct {
	mu     sync.Mutex
	runs   int
	faults []runtime.Finding
	notes  []runtime.Finding
	found  map[runtime.Finding]bool // notes, as far as they are told
}

type checkKey struct{}

// checkOf returns what gathers the findings of the runs of a context, nil where they are
// not in check mode.
func checkOf(ctx context.Context) *checking {
	k, _ := ctx.Value(checkKey{}).(*checking)
	return k
}

// options puts a run into check mode.
func (k *checking) options() []runtime.Option {
	if k == nil {
		return nil
	}
	return []runtime.Option{runtime.Check()}
}

// ended takes the findings of a run, and returns what its figures are to be marked by.
func (k *checking) ended(told *runtime.Report) []string {
	if k == nil {
		return nil
	}
	k.mu.Lock()
	defer k.mu.Unlock()
	k.runs++
	for _, f := range told.Findings {
		if !f.Note {
			k.faults = append(k.faults, f)
		} else if key := sameNote(f); !k.found[key] {
			k.found[key] = true
			k.notes = append(k.notes, f)
		}
	}
	return []string{timesMeanNothing}
}

// sameNote is what two notes have in common that tell the same.
func sameNote(f runtime.Finding) runtime.Finding {
	return runtime.Finding{Kind: f.Kind, Template: f.Template, Site: f.Site, ObjectSite: f.ObjectSite, OtherTemplate: f.OtherTemplate}
}

// checkFlag gives an app's command --check. The apps without check mode have the flag
// as well, to say why.
func (s *session) checkFlag(cmd *cobra.Command) {
	fs := cmd.Flags()
	fs.BoolVar(&s.options.check, "check", false, "run the graphs slowly and look for what is wrong with the program; one sample, and less to do, unless other flags say so")
	reason := uncheckable[cmd.Name()]
	fs.Lookup("check").Hidden = reason != ""
	twin(fs, "check")
	run := cmd.RunE
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		switch {
		case !s.options.check:
			return run(cmd, args)
		case reason != "":
			return usagef("%s: %s cannot be checked: %s", s.source(cmd, "check"), cmd.Name(), reason)
		case cmd.Flags().Changed("schedule"):
			return usagef("%s: cannot be had together with --schedule", s.source(cmd, "check"))
		}
		s.ease(cmd)
		k := &checking{found: make(map[runtime.Finding]bool)}
		cmd.SetContext(context.WithValue(cmd.Context(), checkKey{}, k))
		return k.tell(s, run(cmd, args))
	}
}

// ease gives settings that the user has not chosen the values of check mode.
func (s *session) ease(cmd *cobra.Command) {
	for _, app := range []string{"", cmd.Name()} {
		for name, value := range eased[app] {
			flag := cmd.Flags().Lookup(name)
			if flag == nil || flag.Changed {
				continue
			}
			if env := flag.Annotations[envKey]; len(env) > 0 {
				if given, ok := s.lookupEnv(env[0]); ok && given != "" {
					continue
				}
			}
			if err := flag.Value.Set(value); err != nil {
				panic(fmt.Sprintf("--%s %s: %v", name, value, err)) // the table above is wrong
			}
		}
	}
}

// noGraphToCheck refuses to check where nothing that runs is a graph.
func noGraphToCheck(forms []string) error {
	return usagef("--check: must be with a form that is a task graph; %s is none", strings.Join(forms, ", "))
}

// A checkFailure says that faults were found, which have been told.
type checkFailure struct {
	faults int
	cause  error // how the command ended apart from that; nil for well
}

func (e *checkFailure) Unwrap() error { return e.cause }

func (e *checkFailure) Error() string {
	text := fmt.Sprintf("check: %d faults were found", e.faults)
	if e.faults == 1 {
		text = "check: a fault was found"
	}
	if e.cause != nil {
		text += fmt.Sprintf("; the run ended with: %v", e.cause)
	}
	return text
}

// notesShown is how many notes are told.
const notesShown = 10

// tell tells what was found, on standard error, and returns how the command ends: err
// is how its runs ended.
func (k *checking) tell(s *session, err error) error {
	for _, f := range k.faults {
		fmt.Fprintf(s.stdio.err, "ocrbench: fault: %s\n", strings.ReplaceAll(f.String(), "\n", "\n  "))
	}
	if !s.options.quiet {
		for n, f := range k.notes {
			if n == notesShown {
				fmt.Fprintf(s.stdio.err, "ocrbench: note: and %d more\n", len(k.notes)-n)
				break
			}
			fmt.Fprintf(s.stdio.err, "ocrbench: note: %s\n", f.Line())
		}
	}
	if len(k.faults) == 0 {
		return err
	}
	var faults *runtime.CheckError
	if errors.As(err, &faults) {
		err = faults.Cause
	}
	return &checkFailure{len(k.faults), err}
}
