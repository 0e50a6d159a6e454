//go:build mpi

#include "shim.h"

#include <stdlib.h>

// All packets go through a communicator of their own.
MPI_Comm ocr_comm;

const char *ocr_init(int *rank, int *ranks) {
	int provided;
	MPI_Init_thread(NULL, NULL, MPI_THREAD_SERIALIZED, &provided);
	if (provided < MPI_THREAD_SERIALIZED)
		return "this MPI was built without threads: it must offer MPI_THREAD_SERIALIZED";
	MPI_Comm_dup(MPI_COMM_WORLD, &ocr_comm); // its errors end the job, with MPI's message
	MPI_Comm_rank(ocr_comm, rank);
	MPI_Comm_size(ocr_comm, ranks);
	return NULL;
}

void ocr_finalize(void) { MPI_Finalize(); }

static char *receive_slot(ocr_engine *e, unsigned k) { return e->receives + (size_t)k % ocr_receives * e->size; }

static void post(ocr_engine *e, unsigned k) {
	MPI_Irecv(receive_slot(e, k), e->size, MPI_BYTE, MPI_ANY_SOURCE, e->tag, ocr_comm, &e->receive[k % ocr_receives]);
}

ocr_engine *ocr_open(int tag, int size) {
	ocr_engine *e = calloc(1, sizeof *e);
	if (e == NULL)
		return NULL;
	e->tag = tag;
	e->size = size;
	e->receives = malloc((size_t)ocr_receives * size);
	e->sends = malloc((size_t)ocr_sends * size);
	if (e->receives == NULL || e->sends == NULL) {
		free(e->receives);
		free(e->sends);
		free(e);
		return NULL;
	}
	for (unsigned k = 0; k < ocr_receives; k++)
		post(e, k);
	return e;
}

void ocr_close(ocr_engine *e) {
	for (; e->unposted != e->next; e->unposted++)
		post(e, e->unposted);
	for (unsigned k = 0; k < ocr_receives; k++) {
		MPI_Cancel(&e->receive[k]);
		MPI_Wait(&e->receive[k], MPI_STATUS_IGNORE);
	}
	free(e->receives);
	free(e->sends);
	free(e);
}

int ocr_pull(ocr_engine *e) {
	for (; e->unposted != e->next; e->unposted++)
		post(e, e->unposted);
	int n = 0;
	for (; n < ocr_batch; n++) {
		int came;
		MPI_Status status;
		MPI_Test(&e->receive[e->next % ocr_receives], &came, &status);
		if (!came)
			break;
		ocr_packet *p = &e->packets[n];
		p->bytes = receive_slot(e, e->next++);
		p->from = status.MPI_SOURCE;
		MPI_Get_count(&status, MPI_BYTE, &p->length);
	}
	return n;
}

int ocr_sending(ocr_engine *e) {
	for (; e->done != e->head; e->done++) {
		int sent;
		MPI_Test(&e->send[e->done % ocr_sends], &sent, MPI_STATUS_IGNORE);
		if (!sent)
			break;
	}
	return e->head - e->done;
}

static char *send_slot(ocr_engine *e) { return e->sends + (size_t)(e->head % ocr_sends) * e->size; }

char *ocr_slot(ocr_engine *e) {
	if (e->head - e->done == ocr_sends && ocr_sending(e) == ocr_sends)
		return NULL;
	return send_slot(e);
}

char *ocr_send(ocr_engine *e, int to, int length) {
	MPI_Isend(send_slot(e), length, MPI_BYTE, to, e->tag, ocr_comm, &e->send[e->head % ocr_sends]);
	e->head++;
	return ocr_slot(e);
}
