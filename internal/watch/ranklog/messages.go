package ranklog

// Messages keeps a value for each message, from its sending to its handling.
type Messages[T any] struct {
	sent map[sending]T
	came map[[2]int]sending // by sender and receiver: the latest
}

// A sending identifies a message by its sender's rank and its moment.
type sending struct {
	from   int
	moment uint64
}

// Sent keeps the value of a message that is sent now.
func (m *Messages[T]) Sent(r *Record, what T) {
	if m.sent == nil {
		m.sent, m.came = make(map[sending]T), make(map[[2]int]sending)
	}
	m.sent[sending{r.Rank, r.Moment}] = what
}

// Came returns the value when the message is handled. A deferred message is handled again, before any other of its
// sender.
func (m *Messages[T]) Came(r *Record, from int, moment uint64) T {
	way, now := [2]int{from, r.Rank}, sending{from, moment}
	if last := m.came[way]; last != now {
		delete(m.sent, last)
		m.came[way] = now
	}
	return m.sent[now]
}
