// Package cbaseline runs the core-to-core suite's exchanges in C, so that the
// kernels in Go can be compared with what a C compiler makes of the same loops on
// the same two processors in the same run.
//
// The program (testdata/c2c.c and kernels.h, pthreads and C11 atomics) is part of
// this package. [Start] compiles it with gcc or cc the first time in a process, and
// starts it with its two threads pinned. It then takes one trial at a time:
//
//	p, err := cbaseline.Start(ctx, 0, 1)
//	if err != nil { ... }
//	defer p.Close()
//	result, err := p.Trial(ctx, c2c.Defaults())
//
// Between trials both threads sleep, so trials of other programs can take turns
// with these. No file outlives the compilation, and the program ends with its
// input, so nothing is left behind however this process ends.
package cbaseline
