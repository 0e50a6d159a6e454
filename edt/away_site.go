package edt

import (
	"reflect"
	goruntime "runtime"
	"slices"

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

// A sitedPC is what a worker knows of a program counter on its stack.
type sitedPC struct {
	pc   uintptr
	site uint64 // of the app's frame there; siteUnknown if it has none
}

// knownSites is how many a worker knows, siteTries in how many places one may be.
const (
	knownSites = 256
	siteTries  = 4
)

// site returns the site of the call that is under way, with frame pointers from the caller's on.
func (c *Ctx) site() uint64 {
	if c.blamed != 0 {
		return siteOf(c.blamed)
	}
	var chain [positionDepth]uintptr
	for k, n := 0, framePCs(&chain); k < n; k++ {
		if s := c.siteAt(chain[k:n]); s != siteUnknown {
			return s
		}
	}
	return siteUnknown
}

// siteAt returns the site of the first frame of a chain.
func (c *Ctx) siteAt(chain []uintptr) uint64 {
	pc := chain[0]
	at := pc * 0x9e3779b1 >> 16
	for try := range uintptr(siteTries) {
		if k := &c.sited[(at+try)%knownSites]; k.pc == pc {
			return k.site
		} else if k.pc == 0 || try == siteTries-1 {
			*k = sitedPC{pc, lookUpSite(chain)}
			return k.site
		}
	}
	return siteUnknown
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
