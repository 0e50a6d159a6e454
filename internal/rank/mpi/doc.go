// Package mpi is the engine for ranks that mpirun or srun has started, on one machine or on several: messages go
// through Open MPI. It is built with the tag mpi, by MPI's compiler: CC=mpicc go build -tags mpi. Without the tag the
// package needs no C, and [Join] returns an error that names the tag.
//
// # Packets
//
// The messages to a rank wait as a stream of bytes. A packet of up to 16 KiB takes as many messages as fit, or a part
// of a long one. MPI keeps the order between two ranks, so the stream arrives in order. Each packet also has news: how
// many of the receiver's messages the sender has handled, and how many of the receiver's packets the sender has read. A
// packet may have nothing but news.
//
//	(1) Send appends its message to the stream, under the stream's lock, and sets process.due.
//	(2) The goroutine that gets the lock of MPI (process.calls) copies waiting bytes to slots in C memory and makes MPI
//	    send them (Isend). A goroutine that does not get the lock returns: the holder checks due after the release.
//	(3) 64 receives are posted, each for any rank. The holder of the lock of MPI tests the oldest (MPI_Test), and
//	    takes up to 32 packets in one call. It copies them to the rings of their ranks, and posts the receives again.
//	(4) Poll reads messages from these rings and calls the handler. Messages that are sent meanwhile, by any
//	    goroutine, wait until all handlers have returned: then they share a packet with the news.
//
// At most 64 packets from one rank to another may be sent but not read. Further messages stay with the sender, which
// tries again after each packet from the receiver. MPI may keep a packet too, and makes progress only when it is
// called. So while a receiver has packets to read, a goroutine of the sender calls MPI repeatedly: a rank that does not
// poll still delivers what it has sent.
//
// # Handled
//
// A message counts as handled when its handler has returned. A refused message stays unread in its packet, or in the
// memory that assembles a long one, and does not count. News goes with the messages to the same rank. If there are
// none, a packet with nothing but news is sent when this rank finds no message to handle; or at the end of a Poll, if
// packets of the other rank ask for news, or half of its 64 were read; or later, by the goroutine that calls MPI
// repeatedly.
//
// # Sleep
//
// MPI wakes no thread. A rank that sleeps calls MPI after 20 us, 40 us and so on, at last every millisecond. A worker
// that searches for EDTs calls MPI all the time. A busy worker calls it between two EDTs, at most every 2 us. While all
// workers are in long bodies, a goroutine of the host looks for messages.
//
// # Closing
//
// A rank that closes sends what waits, and then a packet that is marked as its last. Close waits until MPI has all
// packets, but not for the other ranks. A goroutine drops what arrives afterwards; it ends when each other rank has
// sent its last packet. Then all processes finalize MPI together.
//
// # Go and MPI
//
// One thread initializes and finalizes MPI. Any thread may call MPI, but never two at a time. Slots and requests are in
// C memory, and C keeps no pointer to Go memory. Go's signal handlers stay: Open MPI does not replace existing
// handlers, and UCX_ERROR_SIGNALS keeps UCX from replacing them.
package mpi
