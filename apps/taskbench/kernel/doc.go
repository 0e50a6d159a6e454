// Package kernel holds the kernels of Task Bench: the work of a task of its graphs between its inputs and its output.
// It has Task Bench's formulas for the floating-point operations and bytes of each (Slaughter et al., "Task Bench: A
// Parameterized Benchmark for Evaluating Parallel Runtime Performance", SC20, and its core_kernel.cc).
//
//	k := kernel.Kernel{Kind: kernel.ComputeBound, Iterations: 64}
//	k.Run(graph, timestep, point, nil)
//	total += k.Flops(graph, timestep, point)
//
// A [Kernel] does not change once it is set up, and any number of goroutines may run it.
//
// # The kernels
//
//   - empty does nothing.
//   - busy_wait is a chain of multiplications and remainders: time without floating-point operations.
//   - memory_bound cuts the task's scratch memory into samples. An iteration copies the first half of a sample onto its
//     second half; iterations on successive samples are one copy.
//   - compute_bound does x = x*x + x, fused, to each of 64 doubles, and multiplies
//     all 64 in the end: 128 operations an iteration and 64 more.
//   - load_imbalance is compute_bound with a number of iterations of its own for
//     each task, uniformly distributed around Iterations by [Uniform].
//
// # What differs from the original
//
//   - compute_bound: the original's 64 doubles start at 1 to 4 and are infinite after ten iterations. Here they start
//     between -1 and 0, from where x*x + x goes to zero as -1/n. So they stay finite and normal however long the kernel
//     runs: processors are slow with some other operands, and fast with infinite ones. Their product becomes subnormal,
//     but in at most four multiplications of a task and after 2^15 iterations only.
//   - memory_bound: Go's copy in place of 32-byte loads and stores in units of 64 bytes.
//
// # Speed
//
// A slow kernel flatters a runtime: peak falls, efficiency rises. compute_bound is therefore assembly if the processor
// has AVX2 and FMA, as Task Bench's is intrinsics there, and fused operations of package math elsewhere
// ([Implementation]). Both give the same bits, and take as long as C.
package kernel
