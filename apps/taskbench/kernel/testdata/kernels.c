// The kernels of Task Bench in C, for the tests beside the Go ones: the loops of its core_kernel.cc, with its
// intrinsics. "kernels KERNEL ITERATIONS" prints the result, as 16 hexadecimal digits of its bits.
#include <immintrin.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

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

static __attribute__((noinline)) double busy_wait(long iterations)
{
	long long x = 113;
	for (long n = 0; n < iterations; n++) {
		x = x * 139 % 2147483647;
	}
	return (double)x;
}

int main(int argc, char **argv)
{
	if (argc != 3) {
		return 2;
	}
	for (int i = 0; i < 64; i++) {
		start[i] = -0.2345 - i / 128.0;
	}
	long iterations = atol(argv[2]);
	double result = strcmp(argv[1], "busy_wait") == 0 ? busy_wait(iterations) : compute_bound(iterations);
	uint64_t bits;
	memcpy(&bits, &result, sizeof bits);
	printf("%016llx\n", (unsigned long long)bits);
	return 0;
}
