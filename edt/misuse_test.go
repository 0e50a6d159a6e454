package edt_test

import (
	_ "embed"
	"errors"
	"fmt"
	"path/filepath"
	"reflect"
	"regexp"
	goruntime "runtime"
	"slices"
	"strconv"
	"strings"
	"testing"

	"ocr/datablock"
	"ocr/edt"
	"ocr/guid"
	"ocr/internal/proof/testrun"
)

// misuses is the table of what misuses say. Its head explains how to read a row.
//
//go:embed testdata/misuses.txt
var misuses string

// TestMisuse makes the mistake of each row of the table: with pretended workers, on pools and over ranks.
func TestMisuse(t *testing.T) {
	says := ""
	for n, line := range strings.Split(misuses, "\n") {
		if line == "" || line[0] == '#' {
			continue
		}
		for _, m := range rowsOf(t, line, &says) {
			t.Run(fmt.Sprintf("%d: %s, %s", n+1, m.name, m.calls), m.checkAll)
		}
	}
}

// A misuse is a program that makes one mistake.
type misuse struct {
	name   string // of the object that the mistake is made with, "" for none
	calls  string
	says   string
	loose  bool // over ranks the mistake may be found later, as another one, or never
	run    func(c *edt.Ctx, f *fault)
	across bool // rank 1 is to make the mistake with an object of rank 2, too
	only   bool // only across ranks
}

// rowsOf reads a line of the table, which is a row for each of its objects.
func rowsOf(t *testing.T, line string, says *string) (all []misuse) {
	t.Helper()
	cells := strings.SplitN(line, " | ", 3)
	if len(cells) != 3 {
		t.Fatalf("%q has no three cells", line)
	}
	for k := range cells {
		cells[k] = strings.TrimSpace(cells[k])
	}
	if cells[2] != `"` {
		*says = cells[2]
	}
	objects, loose := strings.CutPrefix(cells[0], "~")
	objects, only := strings.CutPrefix(objects, "@")
	objects, here := strings.CutPrefix(objects, "=")
	names := strings.Split(objects, ", ")
	if others, ok := strings.CutPrefix(objects, "not "); ok {
		names = slices.DeleteFunc(slices.Clone(kinds), func(k string) bool {
			return slices.Contains(strings.Split(others, ", "), k)
		})
	}
	for _, name := range names {
		all = append(all, newRow(t, name, cells[1], ofKind(*says, name), loose, only, here))
	}
	return all
}

// ofKind puts an object's kind in place of KIND: none for a reserved GUID. For Null it drops KIND and x.
func ofKind(says, name string) string {
	_, kind, _ := strings.Cut(" "+name, " ")
	for _, state := range []string{"gone ", "foreign ", "forged "} {
		kind = strings.TrimPrefix(kind, state)
	}
	op, rest, ok := strings.Cut(says, " KIND x")
	if !ok {
		return says
	}
	switch kind {
	case "Null":
		return op + strings.Replace(rest, "need ", "Null, need ", 1)
	case "Uninitialized", "Error":
		return op + " none x" + strings.Replace(rest, "need ", "a reserved GUID, need ", 1)
	case "block":
		kind = "data block"
	case "sticky", "once":
		kind = "event"
	}
	if strings.HasSuffix(op, kind) {
		return op + " x" + rest
	}
	return op + " " + kind + " x" + rest
}

// A step is a call of a row.
type step struct {
	place string // where this call and those after it are made, "" for the place of the call before
	verb  verb
	args  []string
	wrong bool // it is the mistake
}

var stepText = regexp.MustCompile(`^(?:([^(]*): )?(!?)([^(!]+)(?:\((.*)\))?$`)

func newRow(t *testing.T, name, calls, says string, loose, only, here bool) misuse {
	t.Helper()
	var steps []step
	for _, text := range strings.Split(calls, "; ") {
		p := stepText.FindStringSubmatch(text)
		if p == nil || verbs[p[3]] == nil {
			t.Fatalf("%q in %q is no call", text, calls)
		}
		s := step{place: p[1], verb: verbs[p[3]], wrong: p[2] != ""}
		if p[4] != "" {
			s.args = strings.Split(p[4], ", ")
		}
		steps = append(steps, s)
	}
	if !slices.ContainsFunc(steps, func(s step) bool { return s.wrong }) {
		steps[len(steps)-1].wrong = true
	}
	aside := loose || here || name == "" || name == "itself"
	inMain := !slices.ContainsFunc(steps, func(s step) bool { return s.place != "" })
	m := misuse{name: name, calls: calls, says: says, loose: loose, only: only, across: inMain && !aside}
	m.run = func(c *edt.Ctx, f *fault) {
		s := &scene{Ctx: c, f: f, name: name}
		s.play(steps)
	}
	return m
}

// A scene is what the calls of a row work on.
type scene struct {
	*edt.Ctx
	f    *fault
	name string
	x, z guid.GUID // the object of the row, and the EDT or event that a call of the row has made
	have bool      // x is made
	in   edt.Args
	r    *draft
	t    *edt.Template // that x names

	// The arguments of the call.
	g []guid.GUID
	n []int
	m []datablock.Mode
}

// at returns argument k of the GUIDs, Null if there is none.
func (s *scene) at(k int) guid.GUID {
	if k < len(s.g) {
		return s.g[k]
	}
	return guid.Null
}

func (s *scene) mode(k int) datablock.Mode {
	if k < len(s.m) {
		return s.m[k]
	}
	return datablock.RW
}

func (s *scene) num() int {
	if len(s.n) == 0 {
		return 0
	}
	return s.n[0]
}

// with returns the scene with the Ctx and arguments of an EDT.
func (s *scene) with(c *edt.Ctx, in edt.Args) *scene {
	inside := *s
	inside.Ctx, inside.in = c, in
	return &inside
}

// makeX makes the row's object, unless only the EDT that makes the calls knows it.
func (s *scene) makeX(inside bool) {
	if !s.have && s.name != "" && (inside || s.name != "itself" && !strings.HasPrefix(s.name, "slot ")) {
		s.x, s.have = s.make(s.name), true
	}
}

// play makes the calls in their places.
func (s *scene) play(steps []step) {
	if s.f.across {
		s.playAcross(steps)
		return
	}
	if steps[0].place == "draft" {
		s.r = newDraft(s.Ctx)
	}
	if steps[0].place != "node" {
		s.makeX(steps[0].place == "" || steps[0].place == "draft")
	}
	for k, one := range steps {
		switch one.place {
		case "", "draft":
			s.do(one)
			continue
		case "node":
			s.f.template = "node"
			r, node := s.NewRecording(), func(c *edt.Ctx, in edt.Args) { s.with(c, in).rest(steps[k:]) }
			r.Add(s.NewTemplate("node", 0, 2, body(node)), nil, s.slots("RW/RW")...)
			r.Run(s.Ctx, 2, guid.Null)
		default:
			s.f.template = "launched"
			launch(s.Ctx, func(c *edt.Ctx, in edt.Args) { s.with(c, in).rest(steps[k:]) }, s.slots(one.place)...)
		}
		return
	}
}

func (s *scene) rest(steps []step) {
	s.makeX(true)
	for _, one := range steps {
		s.do(one)
	}
}

// playAcross makes rank 2 prepare the mistake, and rank 1 make it.
func (s *scene) playAcross(steps []step) {
	last := len(steps) - 1
	s.Satisfy(on(s.Ctx, 2, func(c *edt.Ctx, in edt.Args) {
		there := s.with(c, in)
		there.makeX(true)
		for _, one := range steps[:last] {
			there.do(one)
		}
		c.Satisfy(on(c, 1, func(c *edt.Ctx, in edt.Args) { there.with(c, in).do(steps[last]) }), guid.Null)
	}), guid.Null)
}

// slots returns the sources of the EDT that makes the calls; place "EDT" has none. Each mode in place is a slot with
// the row's block. If a "+" stands before the mode, or the row's object is no block, the slot has a block of its own.
func (s *scene) slots(place string) (all []edt.Source) {
	if place == "EDT" {
		return nil
	}
	for _, text := range strings.Split(place, "/") {
		mode, own := strings.CutPrefix(text, "+")
		g := s.x
		if own || g.Kind() != guid.KindBlock && s.name != "Null" {
			g = wordBlock(s.Ctx, 1)
		}
		all = append(all, edt.From(g, modeOf[mode]))
	}
	return all
}

var modeOf = map[string]datablock.Mode{"RW": datablock.RW, "EW": datablock.EW, "RO": datablock.RO,
	"Const": datablock.Const, "NoAccess": datablock.Null, "no-mode": datablock.Null + 1}

// do makes a call.
func (s *scene) do(one step) {
	s.g, s.n, s.m = nil, nil, nil
	for _, arg := range one.args {
		if n, err := strconv.Atoi(arg); err == nil {
			s.n = append(s.n, n)
		} else if mode, ok := modeOf[arg]; ok {
			s.m = append(s.m, mode)
		} else {
			s.g = append(s.g, s.make(arg))
		}
	}
	if one.wrong {
		s.f.blame(s.Ctx, s.x, one.verb)
	}
	one.verb(s)
}

// TestMisuseInOneOrder makes mistakes in calls that would race on real workers.
func TestMisuseInOneOrder(t *testing.T) {
	for _, m := range []misuse{
		{says: "destroy EDT x: the EDT is runnable or running: template launched; " +
			"an EDT without connected slots can be destroyed [EBUSY]", run: func(c *edt.Ctx, f *fault) {
			g := launch(c, nothing, rw(guid.Null)) // ready, but main still runs
			f.at(c, g, func() { c.DestroyEDT(g) })
		}},
		{says: "satisfy data block x: stale GUID: the object was destroyed [EINVAL]", run: func(c *edt.Ctx, f *fault) {
			b := wordBlock(c, 1)
			f.template = "launched"
			launch(c, func(c *edt.Ctx, _ edt.Args) { f.at(c, b, func() { c.Pass(c.NewEvent(edt.Sticky), 0) }) }, rw(b))
			c.DestroyBlock(b) // the EDT has it
		}},
	} {
		var f fault
		tr := &trial{t: t, workers: 1, where: "seed 0"}
		tr.want = func(err error) { m.check(tr, &f, err) }
		tr.simulate(0, program(func(_ *trial, c *edt.Ctx) { m.run(c, &f) }))
	}
}

// A fault is where and by whom the mistake is made.
type fault struct {
	edt, target guid.GUID
	template    string
	file        string
	line        int
	noCall      bool // nothing the app calls is to blame, but a body's end
	across      bool // rank 1 is to make the mistake, with an object of rank 2
}

// at makes the mistake: a call in the same line as the call of at.
func (f *fault) at(c *edt.Ctx, target guid.GUID, mistake func()) {
	_, file, line, _ := goruntime.Caller(1)
	f.isAt(c, target, file, line)
	mistake()
}

// blame says that the mistake is the call that a function of one line makes.
func (f *fault) blame(c *edt.Ctx, target guid.GUID, call any) {
	pc := reflect.ValueOf(call).Pointer()
	file, line := goruntime.FuncForPC(pc).FileLine(pc)
	f.isAt(c, target, file, line)
}

func (f *fault) isAt(c *edt.Ctx, target guid.GUID, file string, line int) {
	f.edt, f.target, f.file, f.line = c.Self(), target, filepath.Base(file), line
	if f.template == "" {
		f.template = "main"
	}
}

// checkAll makes the mistake everywhere; every other run records sites.
func (m misuse) checkAll(t *testing.T) {
	sites := true
	if !m.only {
		underSeeds(t, 2, func(tr *trial) edt.Func {
			var f fault
			sites = !sites
			tr.sites = sites
			tr.want = func(err error) { m.check(tr, &f, err) }
			return body(func(c *edt.Ctx, _ edt.Args) { m.run(c, &f) })
		})
	}
	if m.across && !t.Failed() {
		overThree(t, 6, func(tr *trial) edt.Func {
			f := fault{template: "on 1", across: true}
			tr.want = func(err error) { m.check(tr, &f, err) }
			return body(func(c *edt.Ctx, _ edt.Args) { m.run(c, &f) })
		})
	}
}

// check checks the error of a run with the mistake.
func (m *misuse) check(tr *trial, f *fault, err error) {
	if m.loose && tr.ranks != 0 {
		return
	}
	e := testrun.As[*edt.Error](tr, err)
	if f.across {
		testrun.Equal(tr, "rank 1", e.On, "where it is made")
	}
	whole, place := fmt.Sprintf("%+v", err), fmt.Sprintf("%s:%d", e.File, e.Line)
	testrun.Equal(tr, guid.Shorten(whole), err.Error(), "the message, short")
	if tr.ranks == 0 && !tr.sites {
		got := f.inWords(whole)
		want := fmt.Sprintf("edt: %s in EDT self of template %s", m.says, f.template)
		if f.edt == f.target {
			want = strings.Replace(want, "EDT self", "EDT x", 1)
		}
		if f.noCall {
			got = strings.TrimSuffix(got, " (LINE)")
		} else {
			want += " (LINE)"
		}
		testrun.Equal(tr, want, got, "the message")
	}
	if m.only && !tr.sites {
		testrun.Contains(tr, f.inWords(whole), "edt: "+m.says+" in EDT self of template on 1 on rank 1")
	}
	code := e.Cause.Code()
	if says := f.inWords(e.Cause.Error()); !strings.HasPrefix(m.says, e.Op) || !strings.Contains(m.says, ": "+says) ||
		!strings.HasSuffix(m.says, "["+code.Error()+"]") || !errors.Is(err, e.Cause) || !errors.Is(err, code) {
		tr.Errorf("%v, want %s", err, m.says)
	}
	if e.EDT != f.edt || e.Template != f.template || strings.Contains(whole, "\n") {
		tr.Errorf("%v: by %v of %q, want %v of %q", err, e.EDT, e.Template, f.edt, f.template)
	}
	if head, _, _ := strings.Cut(m.says, ":"); strings.HasSuffix(head, " x") && e.Target != f.target {
		tr.Errorf("%v: target %v, want %v", err, e.Target, f.target)
	}
	if f.noCall {
		if e.File == "trial_test.go" {
			tr.Errorf("%v: blames the start of the run", err)
		}
	} else if e.File == "" && tr.ranks != 0 && e.Target.Home() != e.EDT.Home() {
		// another rank has found it
	} else if want := fmt.Sprintf("%s:%d", f.file, f.line); place != want || !strings.HasSuffix(whole, "("+want+")") {
		tr.Errorf("%v: blames %s, want %s", err, place, want)
	}
}

var (
	guidText = regexp.MustCompile(`[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}`)
	lineText = regexp.MustCompile(`\w+_test\.go:\d+`)

	lastWorker = regexp.MustCompile(`the run has 0 to \d+`)
)

// inWords replaces what differs from run to run by words.
func (f *fault) inWords(text string) string {
	text = guidText.ReplaceAllStringFunc(text, func(g string) string {
		switch g {
		case f.target.String():
			return "x"
		case f.edt.String():
			return "self"
		}
		return "it"
	})
	return lastWorker.ReplaceAllString(lineText.ReplaceAllString(text, "LINE"), "the run has 0 to N")
}
