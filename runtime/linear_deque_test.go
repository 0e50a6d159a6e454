package runtime

import (
	"fmt"
	"math/rand/v2"
	goruntime "runtime"
	"strings"
	"testing"

	"github.com/anishathalye/porcupine"

	"ocr/edt"
	"ocr/internal/proof/model/history"
)

// The calls of a deque, as histories hold them.
const (
	pushed = iota
	popped
	stolen
)

type dequeCall struct {
	kind int
	task edt.Ready // of a push
}

// dequeSpec is a deque: pop takes the newest entry, or none if there is none;
// steal takes the oldest. A thief may come back with nothing at any time: another one
// was faster.
var dequeSpec = porcupine.Model{
	Init: func() any { return "" },
	Step: func(state, input, output any) (bool, any) {
		have, c := state.(string), input.(dequeCall)
		k, _ := output.(edt.Ready)
		if c.kind == pushed {
			return true, have + string(rune(c.task))
		}
		if k == 0 {
			return c.kind == stolen || have == "", have
		}
		taken := string(rune(k))
		rest, ok := strings.CutPrefix(have, taken)
		if c.kind == popped {
			rest, ok = strings.CutSuffix(have, taken)
		}
		return ok, rest
	},
	DescribeOperation: func(input, output any) string {
		c := input.(dequeCall)
		return fmt.Sprintf("%s %d = %v", [...]string{"push", "pop", "steal"}[c.kind], c.task, output)
	},
}

func TestDequeSpecRejects(t *testing.T) {
	push := func(k edt.Ready) history.Call { return history.Call{Input: dequeCall{pushed, k}} }
	pop := func(k edt.Ready) history.Call { return history.Call{Input: dequeCall{kind: popped}, Output: k} }
	steal := func(k edt.Ready) history.Call { return history.Call{Input: dequeCall{kind: stolen}, Output: k} }
	history.Rejects(t, dequeSpec,
		history.Wrong{Name: "pop the oldest", Calls: []history.Call{push(1), push(2), pop(1)}},
		history.Wrong{Name: "steal the newest", Calls: []history.Call{push(1), push(2), steal(2)}},
		history.Wrong{Name: "taken twice", Calls: []history.Call{push(1), steal(1), pop(1)}},
		history.Wrong{Name: "lost", Calls: []history.Call{push(1), steal(0), pop(0)}},
		history.Wrong{Name: "never pushed", Calls: []history.Call{push(1), steal(2)}},
	)
}

// TestDequeIsLinearizable has thieves fall upon a small deque whose owner pushes and
// pops at random; the last entry is raced for in most histories.
func TestDequeIsLinearizable(t *testing.T) {
	for round := range sized(30_000, 1_200_000) {
		rnd := rand.New(rand.NewPCG(uint64(round), 1))
		d, r := newDeque(2), history.New(3)
		script := rnd.IntN(1 << 8) // a bit a call: push or pop
		thief := func(client int) func() {
			return func() {
				for range 3 {
					r.Do(client, dequeCall{kind: stolen}, func() any { return d.steal() })
				}
			}
		}
		r.Together(func() {
			for n, k := 0, edt.Ready(1); n < 8; n++ {
				if n == 0 || script>>n&1 != 0 {
					r.Do(0, dequeCall{pushed, k}, func() any { d.push(k); return nil })
					k++
				} else {
					r.Do(0, dequeCall{kind: popped}, func() any { return d.pop() })
				}
				if n == round%8 {
					goruntime.Gosched()
				}
			}
		}, thief(1), thief(2))
		for last := edt.Ready(1); last != 0; {
			r.Do(0, dequeCall{kind: popped}, func() any { last = d.pop(); return last })
		}
		r.Check(t, dequeSpec)
	}
}
