// Package ring is the engine for ranks on one machine: messages go through rings in memory
// that all of them have mapped. It needs nothing but the memory; how ranks are started, and how
// one learns that another is gone, is package job's.
//
// # What lies in the memory
//
// For each rank a page with two words, and for each ordered pair of ranks a ring: a page
// of two words for its receiver, and lines of 64 bytes. A message takes a line, or more of them
// in a row if it has a tail; each line begins with a head word, that of the first
// says what the message is. What only one side needs is not there but in its process: the place
// where senders go on is in the sending one, since all senders of a ring are, and the place that
// is polled is in the receiving one.
//
//	word          who writes                        who reads
//	attention     senders to the rank: mail         the rank, and who sends to it
//	              the rank: all bits
//	closed        the rank, when it ends; others,   senders to it
//	              if it is lost
//	line          senders, who claimed it           the receiver
//	freed         the receiver: lines below may     senders, if the ring looks full
//	              be claimed again
//	handled       the receiver: messages of which   the sending rank
//	              the handler has returned
//
// # From a sender to the receiver
//
//	(1) A sender claims lines: it moves place, a word of its process. Senders take turns.
//	(2) It writes the lines, and stores the head word of the first one last. A head is marked with the
//	    parity of the lap, so what a line had before is not taken for a message.
//	(3) It looks at the receiver's attention, and sets mail there if it is not set. If the receiver
//	    was asleep, it wakes it.
//	(4) The receiver looks at the line that is next, takes what it finds, and calls the handler.
//	(5) It stores how far it is: in freed when a quarter of the ring is read, in
//	    both words when a poll ends.
//
// The head's store in (2) publishes the lines: it pairs with the load in (4). It
// must be sequentially consistent, since a look at attention follows: see
// below. The stores to freed and handled only need to come after what they tell of: a sender that finds no room, or
// waits for handled, looks again and again.
//
// A message that the handler refuses stays with its receiver, which begins with it next time; its
// lines are free.
//
// # Order
//
// A message takes its place in (1), so messages of all goroutines of a rank arrive in the
// order of their turns. What finds no room goes to the
// outbox, a list under a lock, and from then on place has the bit queued: all that
// follows goes to the outbox too. Only who has the lock claims lines now. When the
// outbox is empty the bit is taken out, under the lock. Only a sender sets it, in its turn, so between
// the look at the bit and the claim nothing can come: a message never overtakes one in the outbox.
//
// A message that is longer than a share of the ring goes the same way, in pieces: its first line
// says how long it is, more lines follow as the receiver frees them, and since nobody else claims
// meanwhile they are in a row.
//
// The outbox moves when somebody of its rank polls, and a goroutine that exists only while it has
// something looks too: a rank that does not poll still gets rid of what it has sent.
//
// # Attention, and sleep
//
// Mail in attention means: look at the rings. A sender sets it after its message is
// there, and saves itself the write if it is set already. The receiver takes it out, and
// looks at all rings after that: either the sender saw it taken out, and sets it again, or its
// message was there before, and is found (Dekker's handshake: each side stores, then looks, and so
// both stores need a fence). To take it out after every message would move the word
// to and fro between two processors all the time, so the receiver does it when it has found
// nothing several times.
//
// A rank goes to sleep by a compare-and-swap of attention from no bit to asleep, and
// only after it has taken mail out and found nothing. Whoever sets mail or woken gets the value
// before, and if asleep is in it, wakes the futex of that word. So mail and asleep are
// together in it only while somebody is about to wake the sleeper.
//
// Who takes mail out need not be the one that polls. Its look at a ring is at the line of a position that it has loaded
// after mail was out. If that line was read meanwhile, it still looks like one to read, until a sender writes it again:
// and that one sets mail. So what is missed has mail, and sleep does not come. A poll that leaves a message behind, as
// it came too early, sets mail after it has noted that.
//
// All this is explored in internal/proof/model, rankring_test.go and ranksleep_test.go.
//
// # Between processes
//
// Go's atomic operations are instructions, or loops of them, on the word itself: they hold between
// processes that map the same memory as they do between threads, on amd64 and arm64. Ranks trust each
// other's memory: they are one program of one user.
package ring
