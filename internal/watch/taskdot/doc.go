// Package taskdot draws the task graph that a run has executed:
//
//	graph := taskdot.New(taskdot.DefaultLimit, sys.Nanotime)
//	err := runtime.Run(ctx, main, runtime.Observe(graph.Observe))
//	err = graph.Write(file, "my program")
//
// # For Graphviz
//
// A node is an EDT: its template, its short GUID (the index of its record, and how often
// that was used before), its worker and how long its body took. Dotted ones never ran.
//
// A solid edge is the satisfaction of a slot, which is its label, from the EDT that satisfied it or the event in
// between, which is its tooltip. The trigger of an event may have several causes: of a latch all EDTs that counted it,
// of an event that waits for another one the causes of that, of the output event of a finish EDT that EDT and the one
// in its scope whose body returned last. A dashed edge leads from an EDT to one that it created.
//
// # Size
//
// No more than the first EDTs to be created are drawn, up to a limit, with the edges among them; the title says how
// many there were in all. There are no more than [EdgesPerNode] times as many edges. Above [FoldAbove] EDTs those that
// are alike are one box, with their number: Graphviz itself takes long for some thousand.
//
// Nodes are by level, then in the order of their creation, and those of a level lie side by side; edges are in that of
// their ends and slots. A run that is repeated with the same order of its EDTs gives the same text, but for the times.
//
// Everything is recorded under one lock, until all EDTs that are drawn have ended: times
// of bodies are those of a run that was slowed down.
package taskdot
