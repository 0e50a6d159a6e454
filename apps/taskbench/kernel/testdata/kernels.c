// The kernels of Task Bench in C, for the tests and benchmarks beside the Go ones:
// the loops of its core_kernel.cc, with its intrinsics.
//
// A line "KERNEL ITERATIONS RUNS" on standard input is answered with a line
// "NANOSECONDS RESULT": of all the runs together, and of the last run, as 16
// hexadecimal digits of its bits.
#include <immintrin.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

static double start[64];

static double multiply(const __m256d *a)
{
	const double *c = (const double *)a;
	double product = 1.0;
	for (int i = 0; i < 64; i++) {
		product *= c[i];
	}
	return product;
}

static __attribute__((noinline)) double compute_bound(long iterations)
{
	__m256d a[16];
	for (int i = 0; i < 16; i++) {
		a[i] = _mm256_loadu_pd(&start[4 * i]);
	}
	for (long n = 0; n < iterations; n++) {
		for (int i = 0; i < 16; i++) {
			a[i] = _mm256_fmadd_pd(a[i], a[i], a[i]);
		}
	}
	return multiply(a);
}

// The original's operands, which are soon infinite.
static __attribute__((noinline)) double infinite(long iterations)
{
	__m256d a[16];
	for (int i = 0; i < 16; i++) {
		a[i] = _mm256_set_pd(1.0f, 2.0f, 3.0f, 4.0f);
	}
	for (long n = 0; n < iterations; n++) {
		for (int i = 0; i < 16; i++) {
			a[i] = _mm256_fmadd_pd(a[i], a[i], a[i]);
		}
	}
	return multiply(a);
}

static __attribute__((noinline)) double compute_bound2(long iterations)
{
	double a[32], b[32], c[32];
	for (int i = 0; i < 32; i++) {
		a[i] = 1.2345;
		b[i] = 1.010101;
		c[i] = 0;
	}
	for (long n = 0; n < iterations; n++) {
		for (int i = 0; i < 32; i++) {
			c[i] = c[i] + a[i] * b[i];
		}
	}
	double sum = 0;
	for (int i = 0; i < 32; i++) {
		sum += c[i];
	}
	return sum;
}

static __attribute__((noinline)) double busy_wait(long iterations)
{
	long long x = 113;
	for (long n = 0; n < iterations; n++) {
		x = x * 139 % 2147483647;
	}
	return (double)x;
}

static int64_t now(void)
{
	struct timespec t;
	clock_gettime(CLOCK_MONOTONIC, &t);
	return t.tv_sec * INT64_C(1000000000) + t.tv_nsec;
}

static const struct {
	const char *name;
	double (*run)(long);
} kernels[] = {
	{"compute_bound", compute_bound},
	{"infinite", infinite},
	{"compute_bound2", compute_bound2},
	{"busy_wait", busy_wait},
};

static void answer(double (*run)(long), long iterations, long runs)
{
	double result = 0;
	int64_t began = now();
	for (long i = 0; i < runs; i++) {
		result = run(iterations);
	}
	int64_t elapsed = now() - began;
	uint64_t bits;
	memcpy(&bits, &result, sizeof bits);
	printf("%lld %016llx\n", (long long)elapsed, (unsigned long long)bits);
	fflush(stdout);
}

int main(void)
{
	char name[32];
	long iterations, runs;
	for (int i = 0; i < 64; i++) {
		start[i] = -0.2345 - i / 128.0;
	}
	while (scanf("%31s %ld %ld", name, &iterations, &runs) == 3) {
		for (size_t k = 0; k < sizeof kernels / sizeof *kernels; k++) {
			if (strcmp(kernels[k].name, name) == 0) {
				answer(kernels[k].run, iterations, runs);
			}
		}
	}
	return 0;
}
