// The package's calls of MPI, with window.h. Calls of different threads must not overlap (MPI_THREAD_SERIALIZED): Go
// makes them under one lock.
#include <mpi.h>

extern MPI_Comm ocr_comm; // of all ranks, used by this package only

enum {
	ocr_receives = 64, // receives that are posted
	ocr_batch    = 32, // packets that one ocr_pull returns at most
	ocr_sends    = 64, // slots of packets that are being sent
};

// A packet that has arrived is at bytes until the next ocr_pull.
typedef struct {
	char *bytes;
	int from, length;
} ocr_packet;

// An engine's requests. Receives are posted in the order of their slots, and tested in that order: so packets of one
// rank arrive in the order in which they were sent.
typedef struct {
	int tag, size; // the tag of all packets; the bytes of a slot
	MPI_Request receive[ocr_receives];
	char *receives;
	unsigned next, unposted; // the receive to test; the first of those before it that are to be posted again
	MPI_Request send[ocr_sends];
	char *sends;
	unsigned head, done; // the slot to fill next; the oldest slot that is being sent
	ocr_packet packets[ocr_batch];
} ocr_engine;

// ocr_init returns NULL, or a text that says what is wrong.
const char *ocr_init(int *rank, int *ranks);
void ocr_finalize(void);

ocr_engine *ocr_open(int tag, int size);
void ocr_close(ocr_engine *e);
// ocr_pull returns how many packets have arrived.
int ocr_pull(ocr_engine *e);
// ocr_slot returns the slot to fill for ocr_send, NULL if all are in use; ocr_send returns the slot after that.
char *ocr_slot(ocr_engine *e);
char *ocr_send(ocr_engine *e, int to, int length);
// ocr_sending returns how many slots are in use.
int ocr_sending(ocr_engine *e);
