// Package mpi is the engine for ranks that mpirun or srun has started, on one machine or on several: messages go
// through Open MPI. It is built with the tag mpi, by MPI's compiler: CC=mpicc go build -tags mpi. Without the tag
// [Join] says so, if this process is one of several ranks of MPI, and nothing of the package needs C.
//
// # Packets
//
// What is sent to a rank waits as bytes, message after message, until a packet of up to 16 KiB takes as many as there
// are, or a part of a long one. MPI keeps the order of two ranks, so the bytes come as they went. Each packet also says
// how many messages of its receiver the sender has handled, and how many packets it has read; a packet may have nothing
// else.
//
//	(1) Send puts its message behind those that wait, under the lock of that rank, and says that something is due.
//	(2) Who gets the lock of MPI (process.calls) copies what is due to slots of C and has MPI send them (Isend).
//	    Who does not get it leaves: the one that has it looks at due again after it has let go.
//	(3) Receives are posted for any rank, 64 of them. The caller of Receive tests the oldest one (MPI_Test), and takes up
//	    to 32 packets in one call. They are copied to the ring of their rank, and posted again.
//	(4) Poll reads messages from these rings and calls the handler. What handlers send waits until they have all
//	    returned: it then goes in the packet that says what they have handled.
//
// A rank has at most 64 packets on their way to another that were not read there. What has no room stays with the
// sender, which looks again whenever it has a packet from there. MPI may keep a packet too, and goes on with it only
// when it is called. So a goroutine that exists only while something was not read by its receiver asks MPI again and
// again: a rank that does not poll gets rid of what it has sent.
//
// # Handled
//
// The count is read after a handler has returned. A message that was refused stays unread in its packet, or in the
// memory in which a long one is put together, and is not counted. If packets go the other way the news cost nothing.
// Else a packet without messages goes when the rank finds that nothing has come; at the end of the Poll if the other
// rank's packets say that it waits for the news; or later, by the goroutine above.
//
// # Sleep
//
// MPI wakes nobody. A rank that sleeps asks MPI after 20 us, 40 us and so on, every millisecond at last. A host has one
// goroutine that sleeps so while all workers are busy; workers that are busy do not ask, workers that look for
// something to do ask all the time.
//
// # Closing
//
// A rank that closes sends what waits, and then a packet with the mark that it is the last one. Close waits until MPI
// has all packets, not for the others. From then on what comes is dropped, by a goroutine that ends when each other
// rank has sent its last packet. MPI itself is ended after that, by all processes together.
//
// # Go and MPI
//
// MPI is begun and ended on one thread, and called on any, never on two at a time. Slots and requests are C's memory; C
// keeps no pointer to Go's. Go's handlers of signals stay: Open MPI leaves alone what it finds, and UCX is told to
// (UCX_ERROR_SIGNALS).
package mpi
