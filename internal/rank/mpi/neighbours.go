//go:build mpi

package mpi

import (
	"errors"
	"fmt"
	"net"
	"os"
	"slices"
	"sync"
	"sync/atomic"
	"syscall"
	"time"

	"ocr/internal/rank"
	"ocr/internal/rank/ring"
	"ocr/internal/sys"
)

// Neighbours are the ranks of one machine. They have rings in memory that the first of them has made, and passes to the others: it listens
// on a socket without a file, whose name it has told them over MPI. The connections stay: one that ends without a last word
// is a rank that is gone.
type neighbours struct {
	ranks       []int // in MPI, by number on this machine
	self        int   // number of this one
	engine      *ring.Engine
	memory      []byte
	connections []*net.UnixConn // of the first rank by number, its own nil; of another one, to the first
	mu          sync.Mutex      // of writes
	ended       atomic.Bool
	listeners   sync.WaitGroup
}

const (
	sayHello = 'h' // with the number of who connects
	sayRings = 'r' // with the memory
	sayBye   = 'b'
	sayLost  = 'l' // with the number of who is gone
)

// patience is how long ranks wait for their first words: all of them are there already.
const patience = 20 * time.Second

// settle makes or gets the memory for the rings.
func (p *process) settle(ranks []int, name string) (*neighbours, error) {
	n := &neighbours{ranks: ranks, self: slices.Index(ranks, p.rank)}
	err := n.connect(&net.UnixAddr{Net: "unix", Name: "@ocr-ranks-" + name})
	if err == nil {
		var memory *ring.Memory
		if memory, err = ring.NewMemory(n.memory, len(ranks), ring.DefaultLines); err == nil {
			n.engine = ring.Open(memory, n.self)
			return n, nil
		}
	}
	return nil, fmt.Errorf("mpi: rings for the ranks of this machine: %w", err)
}

func (n *neighbours) connect(at *net.UnixAddr) error {
	if n.self != 0 {
		return n.get(at)
	}
	bytes := ring.Bytes(len(n.ranks), ring.DefaultLines)
	file, err := sys.NewSharedFile("ranks", bytes)
	if err != nil {
		return err
	}
	defer file.Close()
	if n.memory, err = sys.MapShared(file, bytes); err != nil {
		return err
	}
	return n.pass(at, file)
}

// pass gives the memory to the other ranks.
func (n *neighbours) pass(at *net.UnixAddr, memory *os.File) error {
	l, err := net.ListenUnix("unix", at)
	if err != nil {
		return err
	}
	defer l.Close()
	_ = l.SetDeadline(time.Now().Add(patience))
	n.connections = make([]*net.UnixConn, len(n.ranks))
	for missing := len(n.ranks) - 1; missing > 0; {
		c, err := l.AcceptUnix()
		if err != nil {
			return err
		}
		var hello [2]byte
		_ = c.SetReadDeadline(time.Now().Add(patience))
		_, err = c.Read(hello[:])
		k := int(hello[1])
		if err != nil || !isOurs(c) || hello[0] != sayHello || k == 0 || k >= len(n.ranks) || n.connections[k] != nil {
			_ = c.Close() // a stranger
			continue
		}
		_ = c.SetReadDeadline(time.Time{})
		if _, _, err := c.WriteMsgUnix([]byte{sayRings}, syscall.UnixRights(int(memory.Fd())), nil); err != nil {
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
	c, err := net.DialUnix("unix", nil, at)
	for late := time.Now().Add(patience); errors.Is(err, syscall.ECONNREFUSED) && time.Now().Before(late); c, err = net.DialUnix("unix", nil, at) {
		time.Sleep(time.Millisecond) // it does not listen yet
	}
	if err != nil {
		return err
	}
	if _, err := c.Write([]byte{sayHello, byte(n.self)}); err != nil {
		return err
	}
	var text [1]byte
	rights := make([]byte, syscall.CmsgSpace(4))
	_ = c.SetReadDeadline(time.Now().Add(patience))
	_, size, _, _, err := c.ReadMsgUnix(text[:], rights)
	if err != nil {
		return err
	}
	_ = c.SetReadDeadline(time.Time{})
	messages, err := syscall.ParseSocketControlMessage(rights[:size])
	if err != nil || len(messages) != 1 {
		return fmt.Errorf("%d files from the first rank of the machine: %v", len(messages), err)
	}
	files, err := syscall.ParseUnixRights(&messages[0])
	if err != nil {
		return err
	}
	memory := os.NewFile(uintptr(files[0]), "ranks")
	defer memory.Close()
	n.connections = []*net.UnixConn{c}
	n.memory, err = sys.MapShared(memory, ring.Bytes(len(n.ranks), ring.DefaultLines))
	return err
}

// watch calls lost for a rank that is gone.
func (n *neighbours) watch(lost func(*rank.LostError)) {
	for k, c := range n.connections {
		if c != nil {
			n.listeners.Go(func() { n.listen(k, c, lost) })
		}
	}
}

// listen listens to the rank with a number on this machine.
func (n *neighbours) listen(k int, c *net.UnixConn, lost func(*rank.LostError)) {
	var said [2]byte
	for {
		m, err := c.Read(said[:1])
		switch {
		case m == 1 && said[0] == sayBye:
			return
		case m == 1 && said[0] == sayLost:
			if _, err := c.Read(said[1:]); err == nil {
				k = int(said[1])
			}
		case err == nil:
			continue
		}
		if n.ended.Load() {
			return
		}
		lost(&rank.LostError{Rank: n.ranks[k], Why: "its process has ended"})
		if n.self == 0 {
			n.say(sayLost, byte(k))
		}
		return
	}
}

// say tells all that this rank is connected to.
func (n *neighbours) say(words ...byte) {
	n.mu.Lock()
	defer n.mu.Unlock()
	for _, c := range n.connections {
		if c != nil {
			_ = c.SetWriteDeadline(time.Now().Add(grace))
			_, _ = c.Write(words) // who does not read it has ended
		}
	}
}

// lose tells the rings of a rank of this machine that is gone.
func (n *neighbours) lose(loss *rank.LostError) {
	n.engine.Lose(&rank.LostError{Rank: slices.Index(n.ranks, loss.Rank), Why: loss.Why})
}

// end says that this rank has ended as it should, and waits for that of those that it is connected to.
func (n *neighbours) end() {
	n.say(sayBye)
	n.listeners.Wait()
	n.ended.Store(true)
	for _, c := range n.connections {
		if c != nil {
			_ = c.Close()
		}
	}
}
