package testbed

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"ocr/runtime/finding"
)

// TimesMeanNothing marks figures that were taken in check mode.
const TimesMeanNothing = "check mode: times are not comparable"

// Checks gathers the findings of check mode in the runs of a command: each fault, and each note once. Its methods do
// nothing on nil.
type Checks struct {
	Small []string // flags that check mode has set, as "--n 6"

	runs   int
	faults []finding.Finding
	notes  []finding.Finding
}

func (k *Checks) add(findings []finding.Finding) {
	if k == nil {
		return
	}
	k.runs++
	for _, f := range findings {
		if !f.Note {
			k.faults = append(k.faults, f)
		} else if !slices.ContainsFunc(k.notes, func(n finding.Finding) bool { return essence(n) == essence(f) }) {
			k.notes = append(k.notes, f)
		}
	}
}

// marks returns the warnings for figures that were taken in check mode; none on nil.
func (k *Checks) marks() (marks []string) {
	if k == nil {
		return nil
	}
	if len(k.Small) > 0 {
		marks = append(marks, "check mode: less is done than in a plain run, unless flags say how much: "+
			strings.Join(k.Small, ", "))
	}
	return append(marks, TimesMeanNothing)
}

// essence returns a note without the parts that may differ between two notes with the same meaning.
func essence(f finding.Finding) finding.Finding {
	return finding.Finding{
		Kind: f.Kind, Template: f.Template, Site: f.Site, ObjectSite: f.ObjectSite, OtherTemplate: f.OtherTemplate,
	}
}

// Verdict writes the faults and the first notes, and returns the error of the command: err is the error of its runs. If
// no graph has run in check mode, it writes nothing.
func (k *Checks) Verdict(c *Console, err error) error {
	const notesShown = 10
	if k == nil || k.runs == 0 {
		return err
	}
	for _, f := range k.faults {
		c.Say("fault: %s", strings.ReplaceAll(f.String(), "\n", "\n  "))
	}
	for _, f := range k.notes[:min(len(k.notes), notesShown)] {
		c.Announce("note: %s\n  what to do: %s", f.Line(), f.Kind.Advice())
	}
	if more := len(k.notes) - notesShown; more > 0 {
		c.Announce("note: and %d more", more)
	}
	verdict := finding.Verdict(slices.Concat(k.faults, k.notes))
	summary := fmt.Sprintf("%s in %s", verdict, finding.Counted(k.runs, "run"))
	if len(k.faults) == 0 {
		c.Announce("check: %s", summary)
		return err
	}
	if faults, is := errors.AsType[*finding.Error](err); is {
		err = faults.Cause
	}
	if err == nil || errors.Is(err, ErrInterrupted) {
		return errors.Join(fmt.Errorf("check: %s", summary), err)
	}
	return fmt.Errorf("check: %s; the run ended with: %w", summary, err)
}
