package edt

import (
	"reflect"
	goruntime "runtime"
	"slices"
	"sync"
	"sync/atomic"

	"ocr/internal/rank"
)

// A message that another rank may refuse carries the line of its call as a *site*: a program counter less that of
// siteBase. All ranks are one binary. The walk over the stack reads frame pointers only: what a program counter stands
// for is looked up once by each worker.
const (
	siteUnknown = iota // no line is known
	siteBody           // no body makes the call, but the end of one: the line is the body's
	siteBits    = 30
	siteMask    = 1<<siteBits - 1
	siteMiddle  = 1 << (siteBits - 1) // the site of siteBase
)

// siteBase is any function.
var siteBase = reflect.ValueOf(isDoor).Pointer()

// sited is what is known of program counters on the stacks of workers. One for which there is no room is looked up each
// time.
//
// Concurrency: an entry is written once, under siting, the program counter last.
var (
	sited  [knownSites + siteTries]sitedPC
	siting sync.Mutex
)

type sitedPC struct {
	pc   atomic.Uintptr
	site atomic.Uint64 // of the app's frame there; siteUnknown if it has none
}

// A program counter is in one of siteTries entries, the first of which depends on it.
const (
	knownSites = 1024
	siteTries  = 4
)

// A sitedCall is the frames of a call, up to the app's, and its site. A worker keeps one for a few kinds of messages
// each, since an app sends most of its messages from few places.
type sitedCall struct {
	frames int
	chain  [positionDepth]uintptr // 0 from frames on
	site   uint64
}

// sitedCalls is how many calls a worker keeps.
const sitedCalls = 8

// site returns the site of the call that is under way, and sends a message of this kind, with frame pointers from the
// caller's on.
func (c *Ctx) site(kind uint8) uint64 {
	if c.blamed != 0 {
		return siteOf(c.blamed)
	}
	var chain [positionDepth]uintptr
	last := &c.sited[kind%sitedCalls]
	framePCs(chain[:last.frames])
	if chain != last.chain || last.frames == 0 {
		c.searchSite(chain[:framePCs(chain[:])], last)
	}
	return last.site
}

// searchSite is site for a call that is not the last one of its kind.
func (c *Ctx) searchSite(chain []uintptr, last *sitedCall) {
	*last = sitedCall{site: siteUnknown}
	for k := range chain {
		if s := siteAt(chain[k:]); s != siteUnknown {
			last.site, last.frames = s, copy(last.chain[:], chain[:k+1])
			return
		}
	}
}

// siteAt returns the site of the first frame of a chain.
func siteAt(chain []uintptr) uint64 {
	pc := chain[0]
	tries := sited[pc*0x9e3779b1>>16%knownSites:][:siteTries]
	for k := range tries {
		if tries[k].pc.Load() == pc {
			return tries[k].site.Load()
		}
	}
	site := lookUpSite(chain)
	siting.Lock()
	defer siting.Unlock()
	for k := range tries {
		if t := &tries[k]; t.pc.Load() == 0 {
			t.site.Store(site)
			t.pc.Store(pc)
			break
		}
	}
	return site
}

// lookUpSite is siteAt for a program counter that is not known. The first frame's functions are those that Callers has
// between its program counter and the next one of the chain.
func lookUpSite(chain []uintptr) uint64 {
	var all [4 * positionDepth]uintptr
	pcs := all[:goruntime.Callers(0, all[:])]
	from := slices.Index(pcs, chain[0])
	if from < 0 {
		return siteUnknown // a wrapper that the compiler has made
	}
	pcs = pcs[from:]
	for k, pc := range pcs {
		if k > 0 && slices.Contains(chain[1:], pc) {
			break
		}
		f, _ := goruntime.CallersFrames([]uintptr{pc}).Next()
		switch {
		case isDoor(f.Function):
			return siteBody
		case ofApp(&f):
			return siteOf(pc)
		}
	}
	return siteUnknown
}

// siteOf returns the site of a program counter.
func siteOf(pc uintptr) uint64 {
	if s := uint64(pc - siteBase + siteMiddle); s > siteBody && s <= siteMask {
		return s
	}
	return siteUnknown // more code than any program has
}

// positionOf is the inverse, for a call by an EDT of a template, nil if that is not known.
func positionOf(site uint64, t *Template) (p position) {
	switch site {
	case siteUnknown:
	case siteBody:
		p.body = t
	default:
		p.body, p.pcs[0] = t, uintptr(site)-siteMiddle+siteBase
	}
	return p
}

// appendDescribed appends the parameters of the EDT that runs to the tail of a message if its template describes EDTs
// by them.
func (c *Ctx) appendDescribed(m *rank.Message, t *Template) {
	if t.describe != nil && t.registered && len(c.params) == t.paramc {
		m.Tail = appendWords(m.Tail, c.params...)
	}
}

// described returns the description of the EDT that has sent a message, see appendDescribed.
func described(m *rank.Message, t *Template) string {
	at := len(m.Tail) - 8*t.paramc
	if t.describe == nil || !t.registered || t.paramc < 0 || at < 0 {
		return ""
	}
	return t.About(appendFrom(nil, m.Tail[at:], t.paramc), nil)
}
