//go:build mpi

package mpi

import (
	"errors"
	"fmt"
	"net"
	"os"
	"slices"
	"strconv"
	"sync"
	"sync/atomic"
	"syscall"
	"time"

	"ocr/internal/rank"
	"ocr/internal/rank/local"
	"ocr/internal/rank/ring"
)

// Neighbours are the ranks of one machine. They share memory with the rings. The first of them creates the memory and
// passes it to the others over a socket without a file, whose name they got over MPI. The connections stay: a rank
// whose connection ends without bye is lost.
type neighbours struct {
	ranks       []int // in MPI, by number on this machine
	self        int   // number of this one
	engine      *ring.Engine
	memory      *local.Memory
	connections []*local.Control // of the first rank by number, its own nil; of another one, to the first
	listeners   sync.WaitGroup
	unanswered  []atomic.Int32 // on the first rank, by number: pings since the last answer
	ended       chan struct{}  // closed when this rank ends
}

// The first lines of a connection.
const (
	sayHello = "hello" // with the number of the rank that connects; the answer is the memory's plan and file
)

// The first rank of a machine sends the others a ping each beat, and counts beats: so one that was stopped itself loses
// none. A rank that has not answered pingLimit pings is lost.
const (
	ping = "ping"
	pong = "pong"
	beat = time.Second
)

var pingLimit int32 = 30

// patience is how long a rank waits for these lines. All ranks run already.
const patience = 20 * time.Second

// settle creates the memory on rank 0 of this machine, and gets it on the others.
func (p *process) settle(ranks []int, name string) (*neighbours, error) {
	n := &neighbours{ranks: ranks, self: slices.Index(ranks, p.rank), unanswered: make([]atomic.Int32, len(ranks)),
		ended: make(chan struct{})}
	at := &net.UnixAddr{Net: "unix", Name: "@ocr-ranks-" + name}
	var err error
	if n.self == 0 {
		err = n.pass(at, local.Plan{Ranks: len(ranks), Lines: ring.DefaultLines})
	} else {
		err = n.get(at)
	}
	if err != nil {
		return nil, fmt.Errorf("mpi: rings for the ranks of this machine: %w", err)
	}
	n.engine = ring.Open(n.memory.Rings, n.self)
	return n, nil
}

// pass creates the memory and passes it to the other ranks.
func (n *neighbours) pass(at *net.UnixAddr, plan local.Plan) error {
	memory, file, err := plan.Make()
	if err != nil {
		return err
	}
	defer file.Close()
	n.memory = memory
	l, err := net.ListenUnix("unix", at)
	if err != nil {
		return err
	}
	defer l.Close()
	_ = l.SetDeadline(time.Now().Add(patience))
	n.connections = make([]*local.Control, len(n.ranks))
	for missing := len(n.ranks) - 1; missing > 0; {
		end, err := l.AcceptUnix()
		if err != nil {
			return err
		}
		c := local.NewControl(end)
		number, err := c.Hear(sayHello, patience)
		k, _ := strconv.Atoi(number)
		if err != nil || !isOurs(end) || k < 1 || k >= len(n.ranks) || n.connections[k] != nil {
			_ = c.Close() // not a rank of this job
			continue
		}
		if _, _, err := end.WriteMsgUnix([]byte(memory.Plan.String()), syscall.UnixRights(int(file.Fd())), nil); err != nil {
			return err
		}
		n.connections[k] = c
		missing--
	}
	return nil
}

// isOurs reports whether a process of this user is at the other end.
func isOurs(c *net.UnixConn) (ours bool) {
	raw, err := c.SyscallConn()
	if err != nil {
		return false
	}
	err = raw.Control(func(fd uintptr) {
		peer, err := syscall.GetsockoptUcred(int(fd), syscall.SOL_SOCKET, syscall.SO_PEERCRED)
		ours = err == nil && int(peer.Uid) == os.Getuid()
	})
	return ours && err == nil
}

// get gets the memory from the first rank.
func (n *neighbours) get(at *net.UnixAddr) error {
	end, err := net.DialUnix("unix", nil, at)
	for late := time.Now().Add(patience); errors.Is(err, syscall.ECONNREFUSED) && time.Now().Before(late); end,
		err = net.DialUnix("unix", nil, at) {
		time.Sleep(time.Millisecond) // it does not listen yet
	}
	if err != nil {
		return err
	}
	c := local.NewControl(end)
	n.connections = []*local.Control{c}
	c.Say(sayHello, strconv.Itoa(n.self))
	plan, file, err := receive(end)
	if err != nil {
		return err
	}
	defer file.Close()
	if n.memory, err = plan.Map(file); err != nil {
		return err
	}
	return nil
}

// receive gets the memory's plan, and its file.
func receive(end *net.UnixConn) (plan local.Plan, file *os.File, err error) {
	text, rights := make([]byte, 200), make([]byte, syscall.CmsgSpace(4))
	_ = end.SetReadDeadline(time.Now().Add(patience))
	length, size, _, _, err := end.ReadMsgUnix(text, rights)
	if err != nil {
		return plan, nil, err
	}
	_ = end.SetReadDeadline(time.Time{})
	messages, err := syscall.ParseSocketControlMessage(rights[:size])
	if err != nil || len(messages) != 1 {
		return plan, nil, fmt.Errorf("%d files from the first rank of the machine: %v", len(messages), err)
	}
	files, err := syscall.ParseUnixRights(&messages[0])
	if err != nil {
		return plan, nil, err
	}
	plan, err = local.ParsePlan(string(text[:length]))
	return plan, os.NewFile(uintptr(files[0]), "ranks"), err
}

// watch calls lost if a rank is lost.
func (n *neighbours) watch(lost func(*rank.LostError)) {
	for k, c := range n.connections {
		if c != nil {
			n.listeners.Go(func() {
				if loss := listen(n.ranks[k], c, &n.unanswered[k]); loss != nil {
					n.report(loss, lost)
				}
			})
		}
	}
	if n.self == 0 {
		go n.ping(lost)
	}
}

// report calls lost, and reports the loss to the other ranks if this is the first one.
func (n *neighbours) report(loss *rank.LostError, lost func(*rank.LostError)) {
	lost(loss)
	if n.self == 0 {
		n.each(func(c *local.Control) { c.SayLost(loss) })
	}
}

// ping has the first rank ask the others each beat whether they run.
func (n *neighbours) ping(lost func(*rank.LostError)) {
	ticks := time.NewTicker(beat)
	defer ticks.Stop()
	for {
		select {
		case <-n.ended:
			return
		case <-n.engine.Lost():
			return
		case <-ticks.C:
		}
		for k, c := range n.connections {
			if c == nil {
				continue
			}
			if beats := n.unanswered[k].Load(); beats >= pingLimit {
				why := fmt.Sprintf("it has not answered for %v: its process is stopped or hangs", time.Duration(beats)*beat)
				n.report(&rank.LostError{Rank: n.ranks[k], Why: why}, lost)
				return
			}
			n.unanswered[k].Add(1)
			c.Say(ping)
		}
	}
}

// listen reads the lines of a rank until it has ended, and returns which rank is lost, if one is.
func listen(k int, c *local.Control, unanswered *atomic.Int32) *rank.LostError {
	for word, rest := range c.Lines() {
		switch word {
		case ping:
			c.Say(pong)
		case pong:
			unanswered.Store(0)
		case local.Bye:
			return nil
		case local.Lost:
			return local.ParseLost(rest)
		}
	}
	return &rank.LostError{Rank: k, Why: "its process has ended"}
}

// each calls a function for each connection of this rank.
func (n *neighbours) each(do func(*local.Control)) {
	for _, c := range n.connections {
		if c != nil {
			do(c)
		}
	}
}

// lose reports the loss of a rank of this machine to the rings.
func (n *neighbours) lose(loss *rank.LostError) {
	n.engine.Lose(&rank.LostError{Rank: slices.Index(n.ranks, loss.Rank), Why: loss.Why})
}

// end sends bye on all connections, and waits for the bye of each.
func (n *neighbours) end() {
	close(n.ended)
	n.each(func(c *local.Control) { c.Say(local.Bye) })
	n.listeners.Wait()
	n.each(func(c *local.Control) { _ = c.Close() })
}
