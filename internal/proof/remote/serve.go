package remote

import (
	"time"

	"ocr/internal/rank"
)

// A server is the process's end of the connection.
type server struct {
	rank.Engine
	home    *end // the connection to the rank
	to      int  // the receiver of the message that follows, -1 if none follows
	verdict int  // the rank's verdict on the last message, -1 for none yet
	over    bool
	known   []uint64 // by rank: how many messages it has handled, as the rank here was told
}

// serve lets a rank in another process use an engine, until the rank closes it.
func serve(e rank.Engine, home *end) {
	s := &server{Engine: e, home: home, to: -1, known: make([]uint64, e.Size())}
	for idle := 0; !s.over && !home.gone.Load(); idle++ {
		if s.home.poll(64, s.command)+s.Poll(1, s.offer)+s.tellHandled() > 0 {
			idle = 0
			continue
		}
		s.home.Sleep(min(time.Duration(idle)*10*time.Microsecond, time.Millisecond)) // then poll the engine again
	}
	e.Close()
}

// command carries out a message from the rank.
func (s *server) command(m *rank.Message) bool {
	switch {
	case s.to >= 0:
		s.Send(s.to, m)
		s.to = -1
	case m.Kind == send:
		s.to = int(m.Words[0])
	case m.Kind == verdict:
		s.verdict = int(m.Words[0])
	case m.Kind == over:
		s.over = true
	}
	return true
}

// offer passes a message to the rank and waits for its verdict.
func (s *server) offer(from int, m *rank.Message) bool {
	s.home.tell(came, from)
	s.home.send(m)
	for s.verdict = -1; s.verdict < 0 && !s.over && !s.home.gone.Load(); {
		if s.home.poll(1, s.command) == 0 {
			s.home.Sleep(time.Millisecond)
		}
	}
	return s.verdict == 1
}

// tellHandled tells the rank how many messages other ranks have handled.
func (s *server) tellHandled() (told int) {
	for k := range s.known {
		if n := s.Handled(k); n != s.known[k] {
			s.known[k] = n
			s.home.tell(handled, k, int(n))
			told++
		}
	}
	return told
}
