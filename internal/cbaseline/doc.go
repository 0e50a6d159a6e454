// Package cbaseline runs the core-to-core suite's exchanges in C, so that the
// kernels in Go can be compared with what a C compiler makes of the same loops on
// the same two processors in the same run.
//
// The program (testdata/c2c.c and kernels.h, pthreads and C11 atomics) is part of
// this package. [Prepare] compiles it with gcc or cc, once in a process. Each trial is a run of
// it, with its two threads pinned:
//
//	if err := cbaseline.Prepare(ctx); err != nil { ... } // why it cannot be had here
//	result, err := cbaseline.Trial(ctx, 0, 1, cbaseline.Limit, c2c.Defaults())
//
// Trials of other programs can take turns with these. No file outlives the compilation, and
// the program ends with its input, so nothing is left behind however this process ends.
package cbaseline
