package site

import (
	"sync"

	"ocr/guid"
)

// A Log has where the objects of a run were made, and how its events ended. A nil Log knows nothing.
type Log struct {
	mu        sync.Mutex
	made      map[object]Site
	ended     map[uint32]End // by index: how the latest event in that record ended
	positions map[Position]*Position
}

type object struct {
	kind  guid.Kind
	index uint32
}

// A Site is the call that made an object, or ended an event. The zero Site is unknown.
type Site struct {
	At *Position
	By string // the template of the EDT that made the call, "" for none
}

// String returns the site as text, such as "app.go:12 by sweep", or "another rank by sweep" for a call of another rank.
func (s Site) String() string {
	if s.At == nil {
		return ""
	}
	text := s.At.String()
	if *s.At == (Position{}) {
		text = "another rank"
	}
	if text != "" && s.By != "" {
		text += " by " + s.By
	}
	return text
}

// An End is how an event was satisfied or destroyed.
type End struct {
	low  uint64 // the event's low GUID word
	What string // "satisfied" or "destroyed", "" if it is not known
	Site
}

// After returns these words and the end as text, "" if the end is not known.
func (e End) After(words string) string {
	if e.What == "" {
		return ""
	}
	return words + e.What + " at " + e.Site.String()
}

// NewLog makes an empty log.
func NewLog() *Log {
	return &Log{made: make(map[object]Site), ended: make(map[uint32]End), positions: make(map[Position]*Position)}
}

// Made notes the call that makes an object.
func (l *Log) Made(kind guid.Kind, index uint32, at Position, by string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.made[object{kind, index}] = Site{l.same(at), by}
}

// Ended notes the call that satisfies or destroys an event.
func (l *Log) Ended(event guid.GUID, what string, at Position, by string) {
	_, low := event.Words()
	l.mu.Lock()
	defer l.mu.Unlock()
	l.ended[uint32(low)] = End{low, what, Site{l.same(at), by}}
}

// same returns the one copy that the log keeps of a position, because a program makes most objects at few positions.
// The caller holds the lock.
func (l *Log) same(at Position) *Position {
	one := l.positions[at]
	if one == nil {
		one = new(at)
		one.file, one.line = at.Line()
		l.positions[at] = one
	}
	return one
}

// Of returns where an object was made, "" if that is not known.
func (l *Log) Of(kind guid.Kind, index uint32) string {
	if l == nil {
		return ""
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.made[object{kind, index}].String()
}

// EndOf returns how an event was satisfied or destroyed.
func (l *Log) EndOf(event guid.GUID) End {
	if l == nil {
		return End{}
	}
	_, low := event.Words()
	l.mu.Lock()
	defer l.mu.Unlock()
	if e := l.ended[uint32(low)]; e.low == low {
		return e
	}
	return End{}
}
