package edt

import (
	"fmt"
	"sync"

	"ocr/guid"
)

// sites remember where objects were created, where the run asked for it.
type sites struct {
	mu sync.Mutex
	at map[siteKey]site
}

type siteKey struct {
	kind  guid.Kind
	index uint32
}

type site struct {
	file    string
	line    int
	creator string // template of the EDT that created it
}

func (s site) String() string {
	if s.file == "" {
		return ""
	}
	if s.creator == "" {
		return fmt.Sprintf("%s:%d", s.file, s.line)
	}
	return fmt.Sprintf("%s:%d by %s", s.file, s.line, s.creator)
}

func newSites() *sites { return &sites{at: make(map[siteKey]site)} }

func (s *sites) note(c *Ctx, kind guid.Kind, index uint32) {
	file, line := c.callSite()
	s.mu.Lock()
	defer s.mu.Unlock()
	s.at[siteKey{kind, index}] = site{file, line, c.templateName()}
}

// of returns where an object was created, "" where that is not known.
func (s *sites) of(kind guid.Kind, index uint32) string {
	if s == nil {
		return ""
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.at[siteKey{kind, index}].String()
}
