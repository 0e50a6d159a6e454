package graphtest

import (
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"ocr/datablock"
	"ocr/edt"
	"ocr/internal/proof/testrun"
)

// features notes the features that a plan has.
func features(p *Plan, seen map[string]bool) {
	for i := range p.Nodes {
		n := &p.Nodes[i]
		note := func(what string, is bool) {
			if is {
				seen[what] = true
			}
		}
		note("nested finish scope", n.Finish && i > 0)
		note("finish with output", n.Finish && n.Out != none)
		note("returned event", n.Returns != none)
		note("returned block", p.returnsBlock(i))
		note("own template", n.OwnMade)
		note("registered template", n.Registered)
		note("gate", n.Gated)
		note("spilled slots", len(n.Slots) > 4)
		note("spilled parameters", len(n.Params) > 4)
		note("no slots", len(n.Slots) == 0)
		note("more slots than are acquired at once", len(n.Slots) > 16)
		note("more blocks than are acquired at once", p.blockSlots(i) > 16)
		note("hint set late", n.Rehint)
		for _, r := range n.Rounds {
			note(fmt.Sprintf("goes on: event %d, later %v, early %v", r.Event, r.Later, r.Early), len(n.Slots) > 0)
			note("finish EDT goes on", n.Finish)
			note("EDT with output goes on", n.Out != none)
			note("EDT with spilled slots goes on", len(n.Slots) > 4)
			note("EDT without slots goes on", len(n.Slots) == 0)
		}
		for _, s := range n.Scenes {
			note(fmt.Sprintf("scene %d", s.Kind), true)
		}
		note("destroys the event it waited for", len(n.Destroys) > 0)
		note(fmt.Sprintf("placing %d", n.Place), true)
		note(fmt.Sprintf("priority %d", n.Priority), true)
		for _, s := range n.Slots {
			note(fmt.Sprintf("slot kind %d", s.Kind), true)
			note(fmt.Sprintf("wiring %d", s.Wired), true)
			note(fmt.Sprintf("%v %d", s.Mode, s.Payload.Kind), s.Payload.Kind != empty)
			note("destroys the block it got", s.Consume)
			note(fmt.Sprintf("giving %d in %v", s.Give, s.Mode), s.First && s.Payload.Kind != empty)
			if s.Payload.Kind == shared {
				b := p.Blocks[s.Payload.Block]
				note(fmt.Sprintf("block %d in %v", b.Kind, s.Mode), true)
				note(fmt.Sprintf("letting %d", b.Let), true)
			}
		}
		for _, v := range n.Victims {
			note(fmt.Sprintf("victim: output %v, finish %v, at once %v", v.Output, v.Finish, v.AtOnce), true)
			note("victim with spilled slots", v.Slots > 4)
		}
		for _, l := range n.Links {
			note(fmt.Sprintf("link into %v", p.Events[l.To].Type), true)
			note("link that counts up", l.Slot == edt.Incr)
			note(fmt.Sprintf("link from %v", p.Events[l.From].Type), true)
		}
		for _, c := range n.Calls {
			note(fmt.Sprintf("%v, slot %d, by dependence %v", p.Events[c.Event].Type, c.Slot, c.Depend), true)
			note("block for a latch", c.Block != none)
		}
	}
	for e := range p.Events {
		ev := &p.Events[e]
		seen[fmt.Sprintf("%v, own %v", ev.Type, ev.Own)] = true
		seen[fmt.Sprintf("%v carries %d", ev.Type, ev.Payload.Kind)] = true
		if ev.Type == edt.Channel {
			seen[fmt.Sprintf("unbounded %v", ev.Unbounded)] = true
		}
		if ev.Output != none {
			seen[fmt.Sprintf("output event %v", ev.Type)] = true
		}
		if ev.Uses > 1 {
			seen[fmt.Sprintf("%v, several dependences", ev.Type)] = true
		}
	}
}

// blockSlots returns the number of blocks that a node acquires.
func (p *Plan) blockSlots(i int) (n int) {
	for _, s := range p.Nodes[i].Slots {
		if s.First && s.Mode != datablock.Null {
			n++
		}
	}
	return n
}

// TestPlansCoverTheModel: the generator makes every feature that it is for, those of the golden file.
func TestPlansCoverTheModel(t *testing.T) {
	seen := make(map[string]bool)
	for seed := range uint64(300) {
		features(Generate(seed, 50), seen)
	}
	testrun.Golden(t, "features.golden", strings.Join(slices.Sorted(maps.Keys(seen)), "\n")+"\n")
}

// TestOracleNotices: a wrong value, block or count is a difference.
func TestOracleNotices(t *testing.T) {
	p := Generate(3, 30)
	for what, spoil := range map[string]func(o *Outcome){
		"value":   func(o *Outcome) { o.Values[7]++ },
		"block":   func(o *Outcome) { o.Blocks[0][0]++ },
		"counter": func(o *Outcome) { o.Counters.EventDestroyed-- },
	} {
		o := p.Expect()
		spoil(o)
		if o.Diff(p.Expect()) == "" {
			t.Errorf("a wrong %s makes no difference", what)
		}
	}
	testrun.Equal(t, "", p.Expect().Diff(p.Expect()), "differs from itself")
}

// faultOrLostRace matches a statement that ends the run, or a try that fails only if another worker is faster.
var faultOrLostRace = regexp.MustCompile(`\.(misuse|bad\w+)\(|CompareAndSwap|TriggerWith`)

// TestGraphsReachEveryWayToPass: the graphs of TestMetamorphic take every path through Ctx.Pass, except misuses and
// lost races, which the deterministic host does not have. Most paths depend on which EDT waits, and which is first.
func TestGraphsReachEveryWayToPass(t *testing.T) {
	if !testrun.Nightly() {
		t.Skip("builds this test with counters and runs it, in a process of its own: .ci/full does")
	}
	profile := filepath.Join(t.TempDir(), "cover")
	out, err := exec.Command("go", "test", "-count=1", "-run=^TestMetamorphic$", "-graphs=300", "-coverpkg=ocr/edt",
		"-covermode=count",
		"-coverprofile="+profile, ".").CombinedOutput()
	testrun.OK(t, err, "%s", out)
	source, err := os.ReadFile("../../../edt/pass.go")
	testrun.OK(t, err)
	lines := strings.Split(string(source), "\n")
	counts, err := os.ReadFile(profile)
	testrun.OK(t, err)
	seen := 0
	for block := range strings.Lines(string(counts)) {
		var from, to, column, statements, count int
		if n, _ := fmt.Sscanf(block, "ocr/edt/pass.go:%d.%d,%d.%d %d %d", &from, &column, &to, &column, &statements,
			&count); n != 6 {
			continue
		}
		seen++
		text := strings.Join(lines[from-1:to], "\n")
		if count == 0 && !faultOrLostRace.MatchString(text) {
			t.Errorf("no graph reaches line %d to %d of pass.go:\n%s", from, to, text)
		}
	}
	if seen < 20 {
		t.Errorf("%d blocks of pass.go are in the profile", seen)
	}
}
