// What a window asks of MPI. Calls follow the rule of shim.h: one thread at a time.
#include <mpi.h>

enum { ocr_vectors = 4 };

// A vector is the type of n elements of width bytes, stride elements apart.
typedef struct {
	int n, width, stride;
	MPI_Datatype type;
} ocr_vector;

// A window is memory of all ranks, which are all in one epoch from the time when it is opened to its end.
typedef struct {
	MPI_Win win;
	char *base;
	ocr_vector vectors[ocr_vectors]; // the latest ones
	unsigned next;                   // of them to give up
} ocr_window;

// ocr_agree begins a barrier of all ranks, ocr_agreed reports whether they have all come.
void ocr_agree(MPI_Request *r);
int ocr_agreed(MPI_Request *r);

// ocr_window_open and ocr_window_close are called by all ranks, and wait for each other. The first returns NULL, or what is wrong.
const char *ocr_window_open(ocr_window *w, long bytes);
void ocr_window_close(ocr_window *w);

// What is put is at the target after ocr_flush; the source is free on return. ocr_get is complete on return. at is in bytes, strides in elements.
void ocr_put(ocr_window *w, int to, long at, const void *src, int bytes);
void ocr_get(ocr_window *w, void *dst, int from, long at, int bytes);
void ocr_put_strided(ocr_window *w, int to, long at, const void *src, int n, int width, int dst_stride, int src_stride);
void ocr_get_strided(ocr_window *w, void *dst, int from, long at, int n, int width, int dst_stride, int src_stride);
void ocr_flush(ocr_window *w, int to);
// A word of 4 or 8 bytes is stored and loaded whole, and is there on return.
void ocr_store(ocr_window *w, int to, long at, int width, unsigned long v);
unsigned long ocr_load(ocr_window *w, int from, long at, int width);
