package observe_test

import (
	"context"
	"fmt"
	"io"
	"strings"

	"ocr/observe"
	"ocr/runtime"
)

// A trace of a run, to open in ui.perfetto.dev.
func ExampleTrace() {
	trace := observe.Trace{Title: "three rows"}
	if err := runtime.Run(context.Background(), rows(3), trace.Option()); err != nil {
		fmt.Println(err)
		return
	}
	var file strings.Builder // os.Create("run.json"), for a file
	fmt.Println(trace.Write(&file), strings.Contains(file.String(), `"name":"observe.sweep","args":{"label":"(2,3)",`))
	// Output: <nil> true
}

// How a run has spent its time.
func ExampleStats() {
	var measured observe.Stats
	if err := runtime.Run(context.Background(), rows(3), runtime.Workers(2), measured.Option()); err != nil {
		fmt.Println(err)
		return
	}
	r := measured.Result()
	fmt.Println(r.EDTs, "EDTs on", len(r.Workers), "workers; work is span or more:", r.Work >= r.Span)
	fmt.Println(measured.WriteText(io.Discard)) // the same as tables, for people
	// Output:
	// 13 EDTs on 2 workers; work is span or more: true
	// <nil>
}

// A drawing of the executed graph, for Graphviz.
func ExampleGraph() {
	graph := observe.Graph{Title: "three rows", Limit: 100}
	if err := runtime.Run(context.Background(), rows(3), graph.Option()); err != nil {
		fmt.Println(err)
		return
	}
	var file strings.Builder
	fmt.Println(graph.WriteDOT(&file), strings.HasPrefix(file.String(), "digraph"))
	fmt.Println(graph.Size())
	// Output:
	// <nil> true
	// 13 13
}
