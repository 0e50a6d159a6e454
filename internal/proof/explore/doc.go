// Package explore runs concurrent code in every order of its accesses to shared words, or shows the order in which it
// goes wrong. It runs the code itself, not a model of it. The words are those of ocr/internal/core/word, which the
// program uses too: with -tags explore each access of a word is a step, after which another thread may go on.
//
//	// Exactly one of the two threads comes second.
//	func TestExploredMeeting(t *testing.T) {
//		explore.Every(t, func(r *explore.Run) {
//			var came word.Uint32
//			second := 0
//			for _, name := range []string{"Ada", "Grace"} {
//				r.Go(name, func() {
//					if came.Add(1) == 2 {
//						second++
//					}
//				})
//			}
//			r.Finally(func() error {
//				if second != 1 {
//					return fmt.Errorf("%d came second", second)
//				}
//				return nil
//			})
//		})
//	}
//
// With a load and a store in place of came.Add, the test fails in the second order, and prints it as lines of code:
//
//	order 2: 0 came second
//	the steps:
//	  Ada:
//	    meeting_test.go:14       if n := came.Load() + 1; n == 2 {
//	  Grace:
//	    meeting_test.go:14       if n := came.Load() + 1; n == 2 {
//	    ...
//
// [Every] runs all orders that differ. [Bounded] is for programs that have too many: it runs those in which threads are
// held up n times at most, which finds most faults with n = 1 or 2. A run also fails if its threads wait for ever, if
// one panics, or if it has no end. Threads wait by [word.Of.Await], [word.Wait], a lock, or a loop with [word.Pause] in
// each turn: such a loop goes on only when a word that it has read has changed.
//
// # Which orders are run
//
// Two steps are dependent if they access the same word and one may change it. Orders that differ only in the order of
// independent steps have the same outcome, and [Every] runs one of them. If two dependent steps of different threads
// came in an order that nothing forces, Every adds a choice at the first step: in another run a thread goes on there
// that brings the second step forward. These are the source sets of Abdulla, Aronis, Jonsson and Sagonas ("Optimal
// dynamic partial order reduction", POPL 2014). Their sleep sets keep Every from running an order twice: a thread that
// was tried at a choice is not tried again below it, until a step comes that depends on the thread's next step. Vector
// clocks say which steps come before which. A step that must wait, as for a lock, counts where it begins to wait.
//
// A store by [word.Of.Publish] goes to a buffer of its thread, and becomes visible at any later moment, in the order of
// the buffer. This is a step of its own, by a thread that does only that. The other stores and read-modify-write
// operations wait until the buffer is empty, loads see their own thread's buffer first, and [word.Barrier] waits until
// each buffer has been empty once. This is total store order, the memory model of amd64.
//
// [Bounded] counts a hold-up when a thread could go on and another one does, or when a published value stays invisible
// at first. If two dependent steps could come in the opposite order, Bounded also tries the later step's thread where
// the earlier step's block of steps begins, since a change of threads there may cost nothing (Coons, Musuvathi and
// McKinley, "Bounded partial order reduction", OOPSLA 2013). A thread that makes 1000 steps in a row must let another
// one go on.
//
// Random programs of loads, stores, publications, compare-and-swaps, barriers, locks, futexes and loops that wait test
// that no reduction loses an outcome: the outcomes are those of all orders. For some programs the outcomes are known.
//
// # What it does not see
//
//   - Accesses to variables that are no words: they happen with the step before them. A plain field that is written too
//     late is found only if a step comes between. The race detector is for those.
//   - Processors with less order than amd64 has. All operations of words but Publish are sequentially consistent in Go.
//   - Futexes that wake another sleeping thread than the first, or wake for no reason; delays of func [word.Publish].
//   - Clocks, random numbers, the order of maps, goroutines other than the threads: the same order of steps must be the
//     same run. Time limits must be set to 0 or to no limit. A goroutine of the program's own must not
//     touch a word while an exploration runs.
//   - Whether a waiting loop ends soon: threads are fair only where a run could not end otherwise.
//   - More than the threads and calls of the program that it is given.
package explore
