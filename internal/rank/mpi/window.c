//go:build mpi

#include "shim.h"
#include "window.h"

#include <stdint.h>

void ocr_agree(MPI_Request *r) { MPI_Ibarrier(ocr_comm, r); }

int ocr_agreed(MPI_Request *r) {
	int all;
	MPI_Test(r, &all, MPI_STATUS_IGNORE);
	return all;
}

// allocate allocates the window. It returns 0, on all ranks, if MPI has no one-sided operations that reach all ranks;
// any other error ends the job, with MPI's message.
static int allocate(ocr_window *w, long bytes) {
	int class;
	MPI_Comm_set_errhandler(ocr_comm, MPI_ERRORS_RETURN);
	int code = MPI_Win_allocate(bytes, 1, MPI_INFO_NULL, ocr_comm, &w->base, &w->win);
	MPI_Comm_set_errhandler(ocr_comm, MPI_ERRORS_ARE_FATAL);
	if (code == MPI_SUCCESS)
		return 1;
	w->win = MPI_WIN_NULL;
	MPI_Error_class(code, &class);
	if (class != MPI_ERR_WIN)
		MPI_Comm_call_errhandler(ocr_comm, code);
	return 0;
}

const char *ocr_window_open(ocr_window *w, long bytes) {
	int *model, known;
	for (int k = 0; k < ocr_vectors; k++)
		w->vectors[k].type = MPI_DATATYPE_NULL;
	if (!allocate(w, bytes))
		return "as it is set up, this MPI has no one-sided operations that reach all ranks; Open MPI 4 between machines needs: mpirun --mca osc pt2pt";
	MPI_Win_lock_all(MPI_MODE_NOCHECK, w->win);
	MPI_Win_get_attr(w->win, MPI_WIN_MODEL, &model, &known);
	if (!known || *model != MPI_WIN_UNIFIED)
		return "this MPI keeps two copies of a window: its model must be MPI_WIN_UNIFIED";
	return NULL;
}

void ocr_window_close(ocr_window *w) {
	for (int k = 0; k < ocr_vectors; k++)
		if (w->vectors[k].type != MPI_DATATYPE_NULL)
			MPI_Type_free(&w->vectors[k].type);
	if (w->win == MPI_WIN_NULL)
		return;
	MPI_Win_unlock_all(w->win);
	MPI_Win_free(&w->win);
}

void ocr_put(ocr_window *w, int to, long at, const void *src, int bytes) {
	MPI_Put(src, bytes, MPI_BYTE, to, at, bytes, MPI_BYTE, w->win);
	MPI_Win_flush_local(to, w->win);
}

void ocr_get(ocr_window *w, void *dst, int from, long at, int bytes) {
	MPI_Get(dst, bytes, MPI_BYTE, from, at, bytes, MPI_BYTE, w->win);
	MPI_Win_flush(from, w->win);
}

// vector returns the MPI type of n elements of width bytes, stride elements apart. To make room it frees an older type,
// but never the type keep, which the other side of the same call has.
static MPI_Datatype vector(ocr_window *w, int n, int width, int stride, MPI_Datatype keep) {
	for (int k = 0; k < ocr_vectors; k++) {
		ocr_vector *v = &w->vectors[k];
		if (v->type != MPI_DATATYPE_NULL && v->n == n && v->width == width && v->stride == stride)
			return v->type;
	}
	ocr_vector *v = &w->vectors[w->next++ % ocr_vectors];
	if (v->type != MPI_DATATYPE_NULL && v->type == keep)
		v = &w->vectors[w->next++ % ocr_vectors];
	if (v->type != MPI_DATATYPE_NULL)
		MPI_Type_free(&v->type); // MPI keeps it while operations use it
	v->n = n;
	v->width = width;
	v->stride = stride;
	MPI_Type_vector(n, 1, stride, width == 4 ? MPI_UINT32_T : MPI_UINT64_T, &v->type);
	MPI_Type_commit(&v->type);
	return v->type;
}

void ocr_put_strided(ocr_window *w, int to, long at, const void *src, int n, int width, int dst_stride, int src_stride) {
	MPI_Datatype there = vector(w, n, width, dst_stride, MPI_DATATYPE_NULL), here = vector(w, n, width, src_stride, there);
	MPI_Put(src, 1, here, to, at, 1, there, w->win);
	MPI_Win_flush_local(to, w->win);
}

void ocr_get_strided(ocr_window *w, void *dst, int from, long at, int n, int width, int dst_stride, int src_stride) {
	MPI_Datatype there = vector(w, n, width, src_stride, MPI_DATATYPE_NULL), here = vector(w, n, width, dst_stride, there);
	MPI_Get(dst, 1, here, from, at, 1, there, w->win);
	MPI_Win_flush(from, w->win);
}

void ocr_flush(ocr_window *w, int to) { MPI_Win_flush(to, w->win); }

void ocr_store(ocr_window *w, int to, long at, int width, unsigned long v) {
	uint32_t half = v;
	uint64_t whole = v;
	MPI_Datatype type = width == 4 ? MPI_UINT32_T : MPI_UINT64_T;
	MPI_Accumulate(width == 4 ? (void *)&half : &whole, 1, type, to, at, 1, type, MPI_REPLACE, w->win);
	MPI_Win_flush(to, w->win);
}

unsigned long ocr_load(ocr_window *w, int from, long at, int width) {
	uint32_t half = 0;
	uint64_t whole = 0;
	MPI_Fetch_and_op(NULL, width == 4 ? (void *)&half : &whole, width == 4 ? MPI_UINT32_T : MPI_UINT64_T, from, at, MPI_NO_OP, w->win);
	MPI_Win_flush(from, w->win);
	return width == 4 ? half : whole;
}
