package edt

import (
	"fmt"
	"reflect"
	"slices"
	"strconv"

	"ocr/datablock"
	"ocr/guid"
	"ocr/internal/core/word"
	"ocr/internal/graph/record"
	"ocr/internal/graph/site"
)

// Unknown, as a template's number of parameters or slots, lets each creation choose the number (OCR EDT_PARAM_UNK).
const Unknown = -1

// A Template is what EDTs are made from: a body under a name, with the numbers of parameters and dependence slots.
type Template struct {
	name         string
	paramc, depc int
	fn           Func
	describe     func(params []uint64, deps []datablock.Dep) string
	index        uint32
	small        int     // paramc, if parameters and slots fit into the record of an EDT; else -1
	head         edtHead // the initial head of such a record
	generation   uint32  // for a run's own templates, which reuse indices
	hint         Hint
	of           *localTemplates // the list of the run that it belongs to, nil for a registered template
	registered   bool
	body         any            // of a declared template: the app's function, which fn calls
	slotNames    []string       // see NameSlots
	slotTypes    []reflect.Type // see TypeSlots
	fault        *Error         // an error that keeps runs from beginning; under the registry's lock
	declared     *site.Position // of a registered template, else nil
	gone         word.Bool
	pins         word.Int32 // watched recordings with nodes of it, each node counted: it keeps its number
	lasts        bool       // it lasts until the run ends, and is no leak
}

// Name returns the template's name.
func (t *Template) Name() string { return t.name }

// nameOr returns the template's name, or other if t is nil.
func (t *Template) nameOr(other string) string {
	if t == nil {
		return other
	}
	return t.name
}

func (t *Template) place() Affinity {
	if t == nil {
		return 0
	}
	return t.hint.Affinity
}

// SetHint sets the hint that the template's EDTs inherit, and returns the template. Call it before the template's first
// use in a run.
func (t *Template) SetHint(h Hint) *Template {
	t.hint = h
	return t
}

// Describe sets how reports, traces and drawings describe an EDT of the template, such as "rank=3 step=12", and returns
// the template. Call it before the template's first use in a run.
//
// params is a copy. deps has what the body can access at that moment: all dependences when the body begins, none if the
// EDT waits or runs on another worker. If these are not enough for a description, f returns "" or panics; both mean no
// description. f may be called on any goroutine, during the run and after it.
func (t *Template) Describe(f func(params []uint64, deps []datablock.Dep) string) *Template {
	t.describe = f
	return t
}

// About is for observers: it returns the description by [Template.Describe] of an EDT
// with these parameters and dependences, "" for none.
func (t *Template) About(params []uint64, deps []datablock.Dep) (about string) {
	if t.describe == nil {
		return ""
	}
	defer func() {
		if recover() != nil {
			about = ""
		}
	}()
	return t.describe(slices.Clone(params), deps)
}

// Registered templates have low indices. The indices of a run's own templates have bit runTemplate set.
const (
	runTemplate  = 1 << 19
	mainTemplate = runTemplate // the first of a run, made by Begin
)

var registry = struct {
	mu     word.Mutex
	byName map[string]*Template
	all    word.Pointer[[]*Template]
}{byName: make(map[string]*Template)}

// NewTemplate registers a body under a name. Apps call it to initialise package-level variables. paramc is the number
// of parameters and depc the number of dependence slots, or [Unknown]. It panics if the name is taken or an argument is
// wrong. A body that is made while the program runs needs [Ctx.NewTemplate].
func NewTemplate(name string, paramc, depc int, fn Func) *Template {
	t := makeTemplate(name, paramc, depc, fn)
	registry.mu.Lock()
	defer registry.mu.Unlock()
	if first := registry.byName[name]; first != nil {
		by := inBrackets(first.declared.String())
		panic(fmt.Sprintf("edt: template %q: the name is taken%s. %s", name, by, declareOnce))
	}
	t.declared = new(site.Here(1, 0))
	registry.byName[name] = t
	var all []*Template
	if p := registry.all.Load(); p != nil {
		all = *p
	}
	if len(all) >= runTemplate {
		panic("edt: too many templates are registered")
	}
	t.registered = true
	t.setIndex(uint32(len(all)))
	all = append(all[:len(all):len(all)], t)
	registry.all.Store(&all)
	return t
}

const declareOnce = "Templates and tasks are declared once, as variables of a package. A body that is made while the " +
	"program runs, as in a handler of requests, is a task or template of its run: task.Func1 or " +
	"Ctx.NewTemplate makes one"

func makeTemplate(name string, paramc, depc int, fn Func) *Template {
	switch {
	case name == "":
		panic("edt: a template needs a name")
	case fn == nil:
		panic(fmt.Sprintf("edt: template %q: no body", name))
	case paramc < Unknown || depc < Unknown || depc > MaxDeps:
		panic(fmt.Sprintf("edt: template %q: %d parameters, %d slots: need at least 0, at most %d slots, or Unknown", name,
			paramc, depc, MaxDeps))
	}
	return &Template{name: name, paramc: paramc, depc: depc, fn: fn}
}

func (t *Template) setIndex(index uint32) {
	t.index, t.small = index, -1
	if uint(t.paramc) <= inlineParams && uint(t.depc) <= inlineSlots {
		t.small = t.paramc
		depc := uint32(t.depc)
		t.head = edtHead{need: record.NewNeed(depc), code: index | uint32(t.paramc)<<paramShift, depc: depc}
	}
}

// RegisteredTemplates is for hosts: it describes each registered template, in order, by its name and numbers. All ranks
// of a run must have the same list.
func RegisteredTemplates() []string {
	var all []string
	if p := registry.all.Load(); p != nil {
		for _, t := range *p {
			all = append(all, fmt.Sprintf("%s (%s parameters, %s slots)", t.name, countText(t.paramc), countText(t.depc)))
		}
	}
	return all
}

func countText(n int) string {
	if n == Unknown {
		return "any number of"
	}
	return strconv.Itoa(n)
}

// Lookup returns the registered template of a name, nil if there is none.
func Lookup(name string) *Template {
	registry.mu.Lock()
	defer registry.mu.Unlock()
	return registry.byName[name]
}

// tooManyTemplates says what is full, and what frees a place.
const tooManyTemplates = "a run has at most %d templates, tasks and recordings at a time: Ctx.DestroyTemplate frees one"

// NewTemplate makes a template that belongs to this run: its body may be a closure. Names need not be unique. An empty
// name, a nil body, a number below [Unknown] or more than [MaxDeps] slots end the run with [ErrCount]; too many
// templates end it with [ErrMemory].
func (c *Ctx) NewTemplate(name string, paramc, depc int, fn Func) *Template {
	if name == "" || fn == nil || paramc < Unknown || depc < Unknown || depc > MaxDeps {
		c.misuse("create template", ErrCount, guid.Null, "%q: needs a name, a body, and numbers from 0 on or Unknown", name)
	}
	c.needRun("create template")
	t := makeTemplate(name, paramc, depc, fn)
	if !c.local.add(t) {
		c.misuse("create template", ErrMemory, guid.Null, name+": "+tooManyTemplates, runTemplate)
	}
	c.n.TemplateCreated++
	c.noteSite(guid.KindTemplate, t.index)
	return t
}

// DestroyTemplate destroys a template of this run. EDTs that were made from it still run. It ends the run if the
// template is registered ([ErrRegistered]), of another run ([ErrForeign]) or destroyed before ([ErrDestroyed]).
func (c *Ctx) DestroyTemplate(t *Template) {
	c.needRun("destroy template")
	c.checkMade("destroy template", t)
	if t.registered {
		c.misuse("destroy template", ErrRegistered, c.TemplateGUID(t), "template %s", t.name)
	}
	if t.of != c.local {
		c.misuse("destroy template", ErrForeign, guid.Null, "template %s", t.name)
	}
	if t.gone.Swap(true) {
		c.misuse("destroy template", ErrDestroyed, c.TemplateGUID(t), "template %s", t.name)
	}
	c.n.TemplateDestroyed++
	c.local.remove(t)
}

// TemplateGUID returns a template's GUID in this run, to store in a block or to pass as a parameter.
func (c *Ctx) TemplateGUID(t *Template) guid.GUID {
	c.needRun("template GUID")
	c.checkMade("template GUID", t)
	return guid.FromWords(c.g.high(guid.KindTemplate), t.low())
}

func (t *Template) low() uint64 { return 1<<63 | uint64(t.generation)<<32 | uint64(t.index) }

// Template returns the template that a GUID names.
func (c *Ctx) Template(g guid.GUID) *Template {
	c.needRun("find template")
	hi, lo := g.Words()
	if hi != c.g.high(guid.KindTemplate) {
		c.wrongKind("find template", g, guid.KindTemplate)
	}
	t := c.g.findTemplate(lo)
	if t == nil {
		c.misuse("find template", ErrStale, g, "")
	}
	return t
}

// findTemplate returns the template with this low GUID word, nil if it is stale.
func (g *Graph) findTemplate(lo uint64) *Template {
	if t := g.templateAt(uint32(lo)); t != nil && t.low() == lo && !t.gone.Load() {
		return t
	}
	return nil
}

// templateAt returns the template of an index, nil if there is none.
func (g *Graph) templateAt(index uint32) *Template {
	if index&runTemplate != 0 {
		return g.local.at(index &^ runTemplate)
	}
	if all := registry.all.Load(); all != nil && int(index) < len(*all) {
		return (*all)[index]
	}
	return nil
}

func (g *Graph) template(t *edtRecord) *Template { return g.templateAt(t.code & templateMask) }

// template returns an EDT's template. The worker has a copy of the list of registered templates.
func (c *Ctx) template(t *edtRecord) *Template {
	index := t.code & templateMask
	if index&runTemplate != 0 {
		return c.local.of(index &^ runTemplate)
	}
	if int(index) >= len(c.registry) {
		c.registry = *registry.all.Load()
	}
	return c.registry[index]
}
