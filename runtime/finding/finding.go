// Package finding has what check mode finds: see [ocr/runtime.Check].
package finding

import (
	"fmt"
	"strings"

	"ocr/guid"
)

// A Kind says what is wrong.
type Kind uint8

const (
	// ReadOnlyWrite: an EDT wrote to a block that it held in mode RO or Const.
	ReadOnlyWrite Kind = iota + 1
	// LateAccess: an EDT used a block's bytes after it had released the block.
	LateAccess
	// EarlyExposure: an EDT wrote to a block, and satisfied another EDT with the block before it released the block (OCR
	// 1.2, §1.6).
	EarlyExposure
	// WriteRace: two EDTs wrote to the same bytes of a block. Nothing orders the two.
	WriteRace
	// ReadRace: an EDT held a block in mode RO or Const, and another EDT changed the block. Nothing orders the two.
	ReadRace
	// OnceRace: a dependence was added to an event that destroys itself when it triggers. Nothing orders the call and the
	// trigger.
	OnceRace
	// Undestroyed: objects were never destroyed.
	Undestroyed
	// Blocking: an EDT kept its worker from running other EDTs for long. It is a note, as the time depends on what else
	// the machine does.
	Blocking
	// DestroyRace: nothing orders the destruction of a block and the calls that made a user of the block runnable: that
	// user could have found the block destroyed.
	DestroyRace
	// TurnOrder: two EDTs changed the same bytes of a block, at least one of them in mode EW. Nothing orders the two
	// except that they took turns.
	TurnOrder
	// SendOrder: two EDTs that nothing orders satisfied a channel event. It is a note: whether it matters which
	// dependence gets which satisfaction is not known.
	SendOrder
	// StrayCall: a Ctx was used on a goroutine that does not run its EDTs, or when no EDT ran.
	StrayCall
	// CountRace: nothing orders a count up of a latch and the counts down, so the latch could have triggered too early.
	CountRace
	// SharedWord: two EDTs that nothing orders changed different bytes of one word of a block. It is a note: if the
	// elements' type is not known, check mode does not see whether an EDT wrote the whole word.
	SharedWord
)

// kinds has the name and the advice of each Kind. The advice on SendOrder and SharedWord also says when to do nothing.
var kinds = [...]struct{ name, advice string }{
	0: {name: "?"},
	ReadOnlyWrite: {"write to a block held for reading",
		"hold the block in mode RW or EW, or write to a block of the EDT's own"},
	LateAccess: {"access after release",
		"release the block after its last use; a goroutine must end before that"},
	EarlyExposure: {"block exposed before its release",
		"release the block before the call that hands it on, as Event.Send does, or return it from the body"},
	WriteRace: {"unordered writes",
		"order the two EDTs by an event, or hold the block in mode EW; " + bySelves},
	ReadRace: {"unordered read and write",
		"order the two EDTs by an event; if they use different bytes, or old ones are as good: " +
			"AllowUnordered(block, edt.ReadsAndWrites); " + bySelves},
	OnceRace: {"dependence races with trigger",
		"add the dependence before anything can trigger the event, or use a sticky event"},
	Undestroyed: {"never destroyed", "destroy it in an EDT that comes after all its users"},
	Blocking: {"worker blocked",
		"cut the EDT up: one that waits for something should be two, the second behind an event"},
	DestroyRace: {"destruction unordered with a use",
		"destroy the block in an EDT that comes after all its users: a latch can count them"},
	TurnOrder: {"unordered exclusive writers",
		"order the two EDTs by an event; if either order is right, as for sums: " +
			"AllowUnordered(block, edt.ExclusiveWriters)"},
	SendOrder: {"unordered satisfactions of a channel event",
		"nothing if it does not matter which dependence gets what; else order the two EDTs, or use two events"},
	StrayCall: {"Ctx used outside its EDT", "use a Ctx in the body that it was given to, and on its goroutine"},
	CountRace: {"count races with trigger",
		"count the latch up before the EDTs that count it down exist, or begin with the whole count"},
	SharedWord: {"unordered writes to one word",
		"nothing if both write elements smaller than a word; else order the two EDTs by an event, " +
			"or hold the block in mode EW"},
}

const bySelves = "mark the block Synchronised if its EDTs order their accesses by themselves"

func (k Kind) String() string { return kinds[min(int(k), len(kinds)-1)].name }

// Advice says what to do about findings of a kind.
func (k Kind) Advice() string { return kinds[min(int(k), len(kinds)-1)].advice }

// A Finding is a fault or a note. Equal findings at one place are one Finding with a count.
type Finding struct {
	Kind Kind
	// Note says that the finding may be what the program wants: the run does not fail because of it.
	Note bool
	// EDT is the EDT whose access or call was found, and Site the file:line of that access or call, if known.
	EDT      guid.GUID
	Template string
	About    string // what the template says of the EDT, see edt's Template.Describe
	Site     string
	// Object is the block or event concerned, created at ObjectSite.
	Object     guid.GUID
	ObjectSite string
	// Other is the second EDT of a finding about two EDTs.
	Other         guid.GUID
	OtherTemplate string
	OtherAbout    string
	// Detail says more, such as the bytes or a stack.
	Detail string
	// Count is how often the finding was made.
	Count int
}

// String describes a finding: one line, then indented lines with details. GUIDs are short; %+v has them whole.
func (f Finding) String() string { return guid.Shorten(f.text()) }

// Format implements [fmt.Formatter].
func (f Finding) Format(s fmt.State, verb rune) { guid.Format(s, verb, f.text()) }

func (f Finding) text() string {
	var b strings.Builder
	b.WriteString(f.Kind.String())
	if f.Template != "" {
		fmt.Fprintf(&b, ": EDT %v of template %s", f.EDT, withAbout(f.Template, f.About))
	}
	if f.Site != "" {
		fmt.Fprintf(&b, " (%s)", f.Site)
	}
	if !f.Object.IsNull() {
		fmt.Fprintf(&b, "\n    %v %v", f.Object.Kind(), f.Object)
		if f.ObjectSite != "" {
			fmt.Fprintf(&b, ", created at %s", f.ObjectSite)
		}
	}
	if f.OtherTemplate != "" {
		fmt.Fprintf(&b, "\n    with EDT %v of template %s", f.Other, withAbout(f.OtherTemplate, f.OtherAbout))
	}
	if f.Detail != "" {
		fmt.Fprintf(&b, "\n    %s", strings.ReplaceAll(f.Detail, "\n", "\n    "))
	}
	if f.Count > 1 {
		fmt.Fprintf(&b, "\n    seen %d times", f.Count)
	}
	fmt.Fprintf(&b, "\n    what to do: %s", f.Kind.Advice())
	return b.String()
}

func withAbout(template, about string) string {
	if about == "" {
		return template
	}
	return template + " (" + about + ")"
}

// Line describes a finding in one line.
func (f Finding) Line() string {
	var b strings.Builder
	b.WriteString(f.Kind.String())
	say := func(before, text string) {
		if text != "" {
			b.WriteString(before + text)
		}
	}
	say(": EDT of template ", f.Template)
	say(", at ", f.Site)
	if !f.Object.IsNull() {
		say(", ", f.Object.Kind().String())
		say(" created at ", f.ObjectSite)
	}
	say(", with EDT of template ", f.OtherTemplate)
	if f.Count > 1 {
		fmt.Fprintf(&b, ", seen %d times", f.Count)
	}
	return b.String()
}

// Verdict sums findings up: "0 faults, 2 notes".
func Verdict(found []Finding) string {
	notes := 0
	for _, f := range found {
		if f.Note {
			notes++
		}
	}
	return Counted(len(found)-notes, "fault") + ", " + Counted(notes, "note")
}

// Counted is a number of things: "1 note", "2 notes".
func Counted(n int, noun string) string {
	if n != 1 {
		noun += "s"
	}
	return fmt.Sprintf("%d %s", n, noun)
}

// An Error is the end of a run in which check mode has found faults.
type Error struct {
	Findings []Finding // the faults
	// Cause is how the run ended, nil if nothing else was wrong.
	Cause error
}

// Unwrap returns the cause.
func (e *Error) Unwrap() error { return e.Cause }

// Error describes the faults and the cause. GUIDs are short; %+v has them whole.
func (e *Error) Error() string { return guid.Shorten(e.text()) }

// Format implements [fmt.Formatter].
func (e *Error) Format(s fmt.State, verb rune) { guid.Format(s, verb, e.text()) }

func (e *Error) text() string {
	var b strings.Builder
	fmt.Fprintf(&b, "check: %s", Counted(len(e.Findings), "fault"))
	for _, f := range e.Findings {
		fmt.Fprintf(&b, "\n  %s", strings.ReplaceAll(f.text(), "\n", "\n  "))
	}
	if e.Cause != nil {
		fmt.Fprintf(&b, "\nthe run ended with: %+v", e.Cause)
	}
	return b.String()
}
