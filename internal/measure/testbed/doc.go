// Package testbed runs graphs for a command, and writes the results.
//
//   - [Bed] is what a suite of measurements gets: arguments, machine, options, a [bench.Plan], notes, a [Console] for
//     what a user should read at once, and a [Pool]: the workers and their processors. [Bed.RunGraph] runs a graph
//     there; [Bed.Document] begins its [report.Document].
//   - [Experiment] sets forms against each other; [Bed.Measure] samples them.
//   - [Output] is where a document and its picture go: a [Sink] each.
//   - [trial.ConfigError] is how a suite refuses its configuration.
//
// A suite has a Config of Go types and a function Run(ctx, bed, cfg), which returns what was measured also if it
// returns an error. It uses no flags and no files.
package testbed
