//go:build explore

package explore

import (
	"flag"
	"fmt"
	"maps"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"ocr/internal/core/word"
	"ocr/internal/proof/testrun"
)

var programs = flag.Int("programs", 600, "how many random programs of each kind to run")

// An op is an operation of a random program: its kind, one of two words, and a number.
type op struct {
	kind    string
	word, x int
}

// kinds are the sets of operations from which programs are made. A load, cas or add appends its result to what its
// thread has seen.
var kinds = map[string][]string{
	"words":   {"load", "store", "publish", "cas", "add", "barrier", "publish more"},
	"waiting": {"load", "store", "publish", "add", "await", "barrier"},
	"locks":   {"load", "store", "lock", "unlock", "publish", "barrier"},
	"futexes": {"load", "store", "wait", "wake", "cas", "publish"},
	"spins":   {"load", "publish", "add", "spin", "spin on both", "barrier"},
	"all": {"load", "store", "publish", "cas", "add", "barrier", "await", "lock", "unlock", "wait", "wake", "wake both",
		"spin"},
}

// do executes an op in the thread that has seen *saw.
func (o op) do(words *[3]word.Uint32, lock *word.Mutex, saw *string) {
	w, x := &words[o.word], uint32(o.x)
	switch o.kind {
	case "load":
		*saw += fmt.Sprint("L", w.Load())
	case "store":
		w.Store(x)
	case "publish":
		w.Publish(x)
	case "publish more":
		w.Publish(x + 3)
	case "cas":
		*saw += fmt.Sprint("C", w.CompareAndSwap(0, x))
	case "add":
		*saw += fmt.Sprint("A", w.Add(1))
	case "barrier":
		word.Barrier()
	case "await":
		w.Await(func(v uint32) bool { return v != x })
	case "lock":
		lock.Lock()
	case "unlock":
		lock.Unlock()
	case "wait":
		word.Wait(w, x, 0)
	case "wake":
		word.Wake(w, 1)
	case "wake both":
		word.Wake(w, 2)
	case "spin":
		for w.Load() == x {
			word.Pause(1)
		}
	case "spin on both":
		for w.Load() == x && words[1-o.word].Load() == x {
			word.Pause(1)
		}
	}
}

func randomProgram(random *rand.Rand, kinds []string) [][]op {
	program := make([][]op, 2+random.IntN(2))
	for k := range program {
		for range 1 + random.IntN(5-len(program)) {
			program[k] = append(program[k], op{kinds[random.IntN(len(kinds))], random.IntN(2), random.IntN(3)})
		}
	}
	return program
}

// outcomes runs a program in all orders of a search, and returns the set of its ends.
func outcomes(t *testing.T, program [][]op, o order) (ends map[string]bool, r result) {
	ends = make(map[string]bool)
	ended := 0
	var words *[3]word.Uint32
	var saw []string
	end := func() string { return fmt.Sprint(saw, words[0].Own(), words[1].Own()) }
	r, err := search(func(r *Run) {
		words, saw = new([3]word.Uint32), make([]string, len(program))
		lock := new(word.Mutex)
		for k, ops := range program {
			r.Go(fmt.Sprint(k), func() {
				for _, o := range ops {
					o.do(words, lock, &saw[k])
				}
			})
		}
		r.Finally(func() error {
			ends[end()] = true
			ended++
			return nil
		})
	}, o, func(_ *Run, err error) {
		if err != nil {
			testrun.Fails(t, err, "deadlock: ")
			ends[end()+err.Error()] = true
			ended++
		}
	})
	testrun.OK(t, err)
	testrun.Equal(t, ended, r.orders, "orders")
	return ends, r
}

// TestReductionsLoseNothing: a search that leaves out orders finds all outcomes of random programs: those of all
// orders, or of all orders with at most limit hold-ups.
func TestReductionsLoseNothing(t *testing.T) {
	for name, ops := range kinds {
		t.Run(name, func(t *testing.T) {
			t.Run("every order", func(t *testing.T) {
				compare(t, ops, func() order { return new(reduced) }, math.MaxInt)
			})
			for limit := range 3 {
				t.Run(fmt.Sprint(limit, " hold-ups"), func(t *testing.T) {
					compare(t, ops, func() order { return &bounded{limit: limit} }, limit)
				})
			}
		})
	}
}

// TestOutcomesOfKnownPrograms: what threads see follows from the memory model.
func TestOutcomesOfKnownPrograms(t *testing.T) {
	put := func(w int) op { return op{"publish", w, 1} }
	get := func(w int) op { return op{"load", w, 0} }
	barrier, long := op{"barrier", 0, 0}, slices.Repeat([]op{{"store", 0, 1}}, 70)
	for _, tc := range []struct {
		program [][]op
		want    string
	}{
		{[][]op{{put(0), get(1)}, {put(1), get(0)}}, "L0 L0, L0 L1, L1 L0, L1 L1"},
		{[][]op{{put(0), get(1)}, {put(1), barrier, get(0)}}, "L0 L1, L1 L0, L1 L1"},
		{[][]op{{put(0), put(1)}, {get(1), get(0)}}, " L0L0,  L0L1,  L1L1"},
		{[][]op{{put(0), get(1)}, {put(1), get(2)}, {{"store", 2, 1}, barrier, get(0)}}, // a barrier is no instant
			"L0 L0 L0, L0 L0 L1, L0 L1 L0, L0 L1 L1, L1 L0 L0, L1 L0 L1, L1 L1 L0, L1 L1 L1"},
		{[][]op{{{"wait", 0, 0}}, {{"wake", 0, 0}}}, " ,  stuck"},
		{[][]op{{{"wait", 0, 0}}, {{"store", 0, 1}, {"wake", 0, 0}}}, " "},
		{[][]op{append(long, put(1)), {get(1)}}, " L0,  L1"},
	} {
		every, _ := outcomes(t, tc.program, new(reduced))
		few, _ := outcomes(t, tc.program, &bounded{limit: 4})
		for _, ends := range []map[string]bool{every, few} {
			var saw []string
			for end := range ends {
				seen, rest, _ := strings.Cut(end[1:], "]")
				if strings.Contains(rest, "deadlock") {
					seen += "stuck"
				}
				saw = append(saw, seen)
			}
			slices.Sort(saw)
			testrun.Equal(t, tc.want, strings.Join(slices.Compact(saw), ", "), "%v", tc.program)
		}
	}
}

func compare(t *testing.T, ops []string, reduced func() order, limit int) {
	random, few, many := rand.New(rand.NewPCG(7, 1)), 0, 0
	for n := range *programs {
		program := randomProgram(random, ops)
		less, r := outcomes(t, program, reduced())
		all, full := outcomes(t, program, &bounded{limit: limit, whole: true})
		few, many = few+r.orders, many+full.orders
		if !maps.Equal(less, all) {
			t.Fatalf("program %d %v: %d outcomes of %d\n%v\n%v", n, program, len(less), len(all),
				slices.Sorted(maps.Keys(less)), slices.Sorted(maps.Keys(all)))
		}
	}
	t.Logf("%d orders in place of %d", few, many)
}
