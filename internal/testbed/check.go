package testbed

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"

	"ocr/runtime"
	"ocr/runtime/finding"
)

// TimesMeanNothing marks figures that were taken in check mode.
const TimesMeanNothing = "check mode: times are not comparable"

// Checks gathers what check mode finds in the runs of a command.
type Checks struct {
	// Eased are flags that check mode has set, as "--n 6 for 12".
	Eased []string

	mu     sync.Mutex
	runs   int
	faults []finding.Finding
	notes  []finding.Finding
	found  map[finding.Finding]bool // notes, as far as they are told
}

// options puts a run into check mode.
func (k *Checks) options() []runtime.Option {
	if k == nil {
		return nil
	}
	return []runtime.Option{runtime.Check()}
}

// ended takes the findings of a run, and returns what its figures are to be marked by.
func (k *Checks) ended(told *runtime.Report) []string {
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
			if k.found == nil {
				k.found = map[finding.Finding]bool{}
			}
			k.found[key] = true
			k.notes = append(k.notes, f)
		}
	}
	marks := []string{TimesMeanNothing}
	if len(k.Eased) > 0 {
		marks = append(marks, "check mode: less is done than in a plain run, unless flags say how much: "+strings.Join(k.Eased, ", "))
	}
	return marks
}

// sameNote is what two notes have in common that say the same.
func sameNote(f finding.Finding) finding.Finding {
	return finding.Finding{Kind: f.Kind, Template: f.Template, Site: f.Site, ObjectSite: f.ObjectSite, OtherTemplate: f.OtherTemplate}
}

// A CheckFailure says that faults were found, which have been written.
type CheckFailure struct {
	summary string
	cause   error // how the command ended apart from that; nil for well
}

func (e *CheckFailure) Unwrap() error { return e.cause }

func (e *CheckFailure) Error() string {
	text := "check: " + e.summary
	if e.cause != nil {
		text += fmt.Sprintf("; the run ended with: %v", e.cause)
	}
	return text
}

// notesShown is how many notes are written.
const notesShown = 10

// Verdict writes what was found, and returns how the command ends: err is how its runs
// ended. If none was made there is nothing to say.
func (k *Checks) Verdict(c *Console, err error) error {
	if k == nil || k.runs == 0 {
		return err
	}
	for _, f := range k.faults {
		c.Say("fault: %s", strings.ReplaceAll(f.String(), "\n", "\n  "))
	}
	for n, f := range k.notes {
		if c.Quiet {
			break
		}
		if n == notesShown {
			c.Say("note: and %d more", len(k.notes)-n)
			break
		}
		c.Say("note: %s\n  what to do: %s", f.Line(), f.Kind.Advice())
	}
	summary := fmt.Sprintf("%s in %s", finding.Verdict(slices.Concat(k.faults, k.notes)), finding.Counted(k.runs, "run"))
	if len(k.faults) == 0 {
		if !c.Quiet {
			c.Say("check: %s", summary)
		}
		return err
	}
	var faults *finding.Error
	if errors.As(err, &faults) {
		err = faults.Cause
	}
	return &CheckFailure{summary, err}
}
