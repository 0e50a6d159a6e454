// The C of the package, with window.h: what MPI is asked for. Calls of different threads must not
// overlap (MPI_THREAD_SERIALIZED): Go calls them under one lock.
#include <mpi.h>

extern MPI_Comm ocr_comm; // of all ranks, for this package alone

enum {
	ocr_receives = 64, // receives that are posted
	ocr_batch    = 32, // packets of one ocr_pull
	ocr_sends    = 64, // slots of packets that are being sent
};

// A packet that has come lies at bytes until the next ocr_pull.
typedef struct {
	char *bytes;
	int from, length;
} ocr_packet;

// An engine's requests. The receives are posted in the order of their slots, and looked at in that order: so packets of one rank
// come in the order in which they were sent.
typedef struct {
	int tag, size; // of all packets; bytes of a slot
	MPI_Request receive[ocr_receives];
	char *receives;
	unsigned next, unposted; // the receive to look at; those before it that are to be posted again
	MPI_Request send[ocr_sends];
	char *sends;
	unsigned head, done; // the slot to fill next, and the oldest that is being sent
	ocr_packet packets[ocr_batch];
} ocr_engine;

// ocr_init returns NULL, or what is wrong.
const char *ocr_init(int *rank, int *ranks);
void ocr_finalize(void);

ocr_engine *ocr_open(int tag, int size);
void ocr_close(ocr_engine *e);
// ocr_pull returns how many packets have come.
int ocr_pull(ocr_engine *e);
// ocr_slot returns the slot to fill for ocr_send, NULL if all are in use; ocr_send the one after that.
char *ocr_slot(ocr_engine *e);
char *ocr_send(ocr_engine *e, int to, int length);
// ocr_sending returns how many slots are in use.
int ocr_sending(ocr_engine *e);
