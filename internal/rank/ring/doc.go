// Package ring is the engine for ranks on one machine: messages go through rings in shared memory.
// Package job starts the ranks, and detects that one has ended.
//
// # Shared memory
//
// The memory has a page of a few words for each rank, and a ring for each ordered pair of ranks. A ring is a page of
// two words of its receiver, and lines of 64 bytes. A message takes one line, or several in a row if it has a tail.
// Each line begins with a head word; the head of the first line describes the message. Words of one side only are in
// the process of that side: place, the next line to claim, in the sender's; position, the next line to read, in the
// receiver's.
//
//	word        written by                                   read by
//	attention   senders to the rank set mail, and the rank   the rank, and senders to it
//	            sets and clears all bits
//	senders     a bit for each sender: it sets it, and       the rank, and senders to it
//	            the rank clears it
//	closed      the rank when it ends; another rank when     senders to it
//	            the rank is lost
//	line        the sender that claimed it                   the receiver
//	freed       the receiver: lines below may be claimed     senders, if the ring looks full
//	            again
//	handled     the receiver: messages whose handler has     the sending rank
//	            returned
//
// # From sender to receiver
//
//	(1) A sender claims lines: it advances place. Only one goroutine of a rank sends at a time.
//	(2) It writes the lines, and the head of the first line last. A head has the parity of its lap in one bit, so
//	    the receiver does not take a line of the previous lap for a new one.
//	(3) It loads the receiver's senders, and sets its bit if that is not set. Then it loads the receiver's attention,
//	    and sets mail if that is not set. If the receiver was asleep, it wakes it.
//	(4) The receiver loads the head of the next line, reads the message and calls the handler.
//	(5) It stores how many lines it has read to freed, after each quarter of the ring; at the end of a poll it stores
//	    freed and handled.
//
// The store of the head in (2) publishes the lines: it pairs with the load in (4). It must be sequentially consistent,
// since the sender loads senders and attention after it (see Attention). The stores to freed and handled need only
// release order: a sender without room, or one that waits for handled, polls these words.
//
// A message that the handler refuses stays with the receiver, which handles it first in the next poll. Its lines are
// free by then.
//
// # Order
//
// Step (1) orders the messages of a ring, so those of all goroutines of a rank arrive in the order in which they were
// sent. If the ring has no room, the sender puts the message into the outbox, a list under a lock, and sets the bit
// queued in place. While it is set, every message goes to the outbox, and only the holder of the lock claims lines. It
// clears the bit once the outbox is empty. Only a sender sets the bit, and only one sends at a time, so the bit cannot
// be set between the sender's load of place and its claim: no message overtakes one in the outbox.
//
// A long message goes through the outbox too, in pieces. Its first line has its length; more lines follow as the
// receiver frees them. No other goroutine claims lines meanwhile, so they are in a row.
//
// A poll of the sending rank moves messages from the outbox to the ring. So does a goroutine that exists only while the
// outbox has some, so a rank that does not poll still delivers what it has sent.
//
// # Attention
//
//	attention       the rank                              a sender that sets mail, or Wake, which sets woken
//	0               has found no message                  sets the bit
//	mail            has messages to read, or may have     need not write
//	asleep          waits on the futex of this word       sets the bit and wakes the rank
//	mail | asleep   is about to be woken                  need not write
//	woken           is to return from Sleep at once       sets mail
//
// A rank looks only at the rings of senders, so a look takes no longer with more ranks that send nothing. A sender
// loads its bit after it has stored a head; the rank clears mail, takes the bits out, and then loads the heads of their
// rings. So either the sender finds its bit cleared and sets it again, or the rank finds the message (Dekker's
// handshake; both sides need a fence between store and load). Nor is mail missed: the sender loads it after its bit. If
// it is still set then, the rank clears it later, and takes the bit out after that. Clearing these each time
// would move the line between the two processors, so the rank clears them only after many checks without a message
// (calm), and before it sleeps.
//
// A rank goes to sleep by a compare-and-swap of attention from 0 to asleep, after it has cleared mail and found no
// message. The atomic OR that sets mail or woken returns the value before: if that has asleep, the sender wakes the
// futex.
//
// Subtle: a goroutine that does not poll may clear mail, and then looks at the head at a position that it loaded after
// that. If the poller has read that line meanwhile, its head still looks new until a sender writes the line again, and
// that sender sets mail. So whenever a message can be missed mail is set, and the rank does not sleep. A poll that
// leaves a refused message behind sets mail after it has set refused.
//
// internal/proof/model explores all this: rankring_test.go and ranksleep_test.go.
//
// # Between processes
//
// Go's atomic operations are instructions on the word itself, or loops of them. On amd64 and arm64 they hold between
// processes that map the same memory as between threads. Ranks trust each other's memory: they are one program of one
// user.
package ring
