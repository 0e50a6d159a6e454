// A window's calls of MPI. As in shim.h one thread at a time makes them.
#include <mpi.h>

enum { ocr_vectors = 4 };

// A vector is the type of n elements of width bytes, stride elements apart.
typedef struct {
	int n, width, stride;
	MPI_Datatype type;
} ocr_vector;

// A window is memory of all ranks. All ranks are in one epoch from the time when it is opened until it is closed.
typedef struct {
	MPI_Win win;
	char *base;
	ocr_vector vectors[ocr_vectors]; // the latest types
	unsigned next;                   // the type to free next
} ocr_window;

// ocr_agree begins a barrier of all ranks; ocr_agreed reports whether all ranks have reached it.
void ocr_agree(MPI_Request *r);
int ocr_agreed(MPI_Request *r);

// All ranks call ocr_window_open and ocr_window_close, which wait for each other. ocr_window_open returns NULL, or a
// text that says what is wrong.
const char *ocr_window_open(ocr_window *w, long bytes);
void ocr_window_close(ocr_window *w);

// A put is complete after ocr_flush; the caller may reuse src when ocr_put returns. ocr_get is complete when it
// returns. at is in bytes, strides in elements.
void ocr_put(ocr_window *w, int to, long at, const void *src, int bytes);
void ocr_get(ocr_window *w, void *dst, int from, long at, int bytes);
void ocr_put_strided(ocr_window *w, int to, long at, const void *src, int n, int width, int dst_stride, int src_stride);
void ocr_get_strided(ocr_window *w, void *dst, int from, long at, int n, int width, int dst_stride, int src_stride);
void ocr_flush(ocr_window *w, int to);
// These store and load a word of 4 or 8 bytes atomically, and are complete when they return.
void ocr_store(ocr_window *w, int to, long at, int width, unsigned long v);
unsigned long ocr_load(ocr_window *w, int from, long at, int width);
