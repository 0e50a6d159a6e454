// Package taskdot draws the task graph of a run:
//
//	graph := taskdot.New(taskdot.DefaultLimit, sys.Nanotime)
//	err := runtime.Run(ctx, main, runtime.Observe(graph.Observe))
//	err = graph.Write(file, "my program")
//
// # For Graphviz
//
// A node is an EDT: its template, the template's text for it or else its short GUID (the index of its record, and how
// often the record was used before), its worker and the time of its body. Dotted nodes never ran.
//
// A solid edge is the satisfaction of a slot, by the EDT that satisfied it; its label is the slot, its tooltip the
// event in between, if there is one. If the event has several causes, each has an edge. A latch's causes are all EDTs
// that counted it. An event that waits for another event has that event's causes. The causes of a finish EDT's output
// event are this EDT and the EDT in its scope whose body returned last. A satisfaction from outside has no edge. A
// dashed edge leads from an EDT to an EDT that it created.
//
// # Size
//
// The drawing has the EDTs that are created first, up to a limit, with the edges among them; the title says how many
// EDTs the run had. Above [FoldAbove] EDTs, those that are alike are one box, with their number: Graphviz takes long
// for some thousand nodes.
//
// Nodes are ordered by level, then by creation, and those of a level lie side by side; edges are ordered by their ends
// and slots. A run that repeats the order of its EDTs gives the same text, except the times.
//
// All is recorded under one lock until the limit is reached and all drawn EDTs have ended: so bodies take longer.
package taskdot
