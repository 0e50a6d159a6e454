package model_test

import (
	"fmt"
	"slices"
	"testing"

	"ocr/internal/proof/model"
)

// The access modes, as in package datablock.
type access int

const (
	rw access = iota
	ew
	ro
	constant
)

func (a access) String() string { return [...]string{"RW", "EW", "RO", "Const"}[a] }

// A directoryModel is blocks whose EDTs are on several ranks. The home of a block gives one rank at a time the right to
// write, and the EDTs there then use the block in all modes, by the word of a record on that rank. Or the home gives
// copies to several ranks, whose EDTs use them in modes RO and Const. On a rank without a right, and at home while
// another rank may write, the word says "away", and all EDTs wait in the queue. GET of a rank that needs to write waits
// in the queue at home as an EDT in mode EW does, GET of a rank that needs to read as one in mode Const, and RECALL
// waits in this way on the other rank.
//
// A copy is a hold in mode Const, at home and on the rank that has the copy, so writers wait in the queues of both.
// RECALL of a copy replaces the hold on that rank by one in mode EW, ahead of all that wait. GET of a rank that has a
// copy and needs to write does the same at home, and needs no bytes. If the block is recalled for a reader, the writer
// keeps a copy.
//
// A block that no EDT holds may move without a request: home gives a rank the right to write, or a copy, and a writer
// gives the block back.
//
// What a rank does to a record of its own is one step here: package block explores the steps of its code.
type directoryModel struct {
	weak    string
	net     network
	send    func(m model.Memory, from, to, message int)
	ranks   int
	homes   []int          // of the blocks
	sides   [][]*blockSide // by block and rank
	edts    []blockEDT
	granted []model.Word // by EDT: it has the block that it waits for
	ended   model.Word
	written []model.Word // by block: EDTs that have written it and given it up, a bit each
}

// A blockSide is the state of a block on one rank.
type blockSide struct {
	class, holders, readers, away, asked, has, recalled, writer, length, bytes model.Word
	copies, called, upgrades                                                   model.Word // at home: bits of ranks; a rank
	queue                                                                      []model.Word
}

// A blockEDT is an EDT that acquires blocks: uses says which, and in which modes.
type blockEDT struct {
	rank int
	uses []blockUse
}

type blockUse struct {
	block int
	mode  access
}

func (u blockUse) String() string { return fmt.Sprintf("%c %v", 'A'+u.block, u.mode) }
func (e blockEDT) String() string { return fmt.Sprintf("%v on rank %d", e.uses, e.rank) }

const (
	waitsReader = 10 // and the rank
	waitsWriter = 20 // and the rank
	waitsRecall = 30
	waitsShare  = 31 // the recall of a block that the writer keeps a copy of

	toRead  = 1 // what a rank has or requests
	toWrite = 2

	sendGet    = 1 << 8 // and what is requested
	sendData   = 2 << 8
	sendRecall = 3 << 8 // and for what
	sendBack   = 4 << 8
	sendCopy   = 12 << 8 // a grant of a copy
	sendSame   = 13 << 8 // a grant to a rank that has a copy
	sendShared = 14 << 8 // a return by a rank that keeps a copy
	sendKind   = 15 << 8
	sendBlock  = 1 << 6
)

func newDirectoryModel(s *model.System, weak string, ranks int, homes []int, edts []blockEDT) *directoryModel {
	x := &directoryModel{weak: weak, net: newNetwork(s, ranks), ranks: ranks, homes: homes, edts: edts,
		granted: s.Words("granted", len(edts)), ended: s.Word("ended", 0), written: s.Words("written", len(homes))}
	x.send = x.net.send
	for b := range homes {
		var sides []*blockSide
		for r := range ranks {
			name := fmt.Sprintf("%c on %d ", 'A'+b, r)
			v := &blockSide{class: s.Word(name+"class", 0), holders: s.Word(name+"holders", 0),
				readers: s.Word(name+"readers", 0),
				away:    s.Word(name+"away", 0), asked: s.Word(name+"asked", 0), recalled: s.Word(name+"recalled", 0),
				writer: s.Word(name+"writer", 0), has: s.Word(name+"has", 0),
				copies: s.Word(name+"copies", 0), called: s.Word(name+"called", 0), upgrades: s.Word(name+"upgrades", 0),
				length: s.Word(name+"queued", 0), bytes: s.Word(name+"bytes", 0),
				queue: s.Words(name+"queue", 5)}
			sides = append(sides, v)
		}
		x.sides = append(x.sides, sides)
	}
	return x
}

// begin marks blocks as away on all ranks but their homes.
func (x *directoryModel) begin(m model.Memory) {
	for b, home := range x.homes {
		for r, v := range x.sides[b] {
			if r != home {
				m[v.away] = 1
			}
		}
	}
}

// admit takes a hold if the holders allow it, and, for an EDT that comes, the queue.
func (x *directoryModel) admit(m model.Memory, v *blockSide, a access, comes bool) bool {
	switch {
	case m[v.away] != 0 && !(a == ro && x.weak == "readers use what is away"):
		return false
	case a == ro:
		m[v.readers]++
		return true
	case comes && m[v.length] > 0 && !(a == constant && x.weak == "readers pass a writer that waits"):
		return false
	case m[v.holders] > 0 && (m[v.class] != int16(a) || a == ew):
		return false
	}
	m[v.class] = int16(a)
	m[v.holders]++
	return true
}

func (v *blockSide) release(m model.Memory, a access) {
	if a == ro {
		m[v.readers]--
	} else {
		m[v.holders]--
	}
}

// join queues an EDT, a request or a recall, and serves the queue if it can.
func (x *directoryModel) join(m model.Memory, b, r, who int) {
	v := x.sides[b][r]
	m[v.queue[m[v.length]]] = int16(who)
	m[v.length]++
	x.serve(m, b, r)
}

// upgrade replaces a hold in mode Const by one in mode EW, which waits ahead of all others.
func (x *directoryModel) upgrade(m model.Memory, b, r, who int) {
	v := x.sides[b][r]
	m[v.holders]--
	for k := int(m[v.length]); k > 0; k-- {
		m[v.queue[k]] = m[v.queue[k-1]]
	}
	m[v.queue[0]] = int16(who)
	m[v.length]++
	x.serve(m, b, r)
}

// serve grants the block to those that wait, in order.
func (x *directoryModel) serve(m model.Memory, b, r int) {
	v := x.sides[b][r]
	for m[v.length] > 0 && x.serveFirst(m, b, r, int(m[v.queue[0]])) {
	}
	if m[v.length] == 0 {
		return
	}
	home, first := x.homes[b], x.wish(m, b, r)
	switch {
	case r != home && first <= int(m[v.has]):
	case r != home:
		x.ask(m, b, r)
	case x.weak == "home does not recall":
	case m[v.away] == 0:
		x.recallCopies(m, b)
	case m[v.recalled] == 0:
		m[v.recalled] = 1
		x.send(m, home, int(m[v.writer]), sendRecall+b*sendBlock+first)
	}
}

// wish returns the right that the first waiter needs; none if it is a recall.
func (x *directoryModel) wish(m model.Memory, b, r int) int {
	switch who := int(m[x.sides[b][r].queue[0]]); {
	case who == 0 || who >= waitsRecall:
		return 0
	case who >= waitsWriter:
		return toWrite
	case who >= waitsReader:
		return toRead
	default:
		if a := x.modeOf(who-1, b); a == ro || a == constant {
			return toRead
		}
		return toWrite
	}
}

// ask requests the right that the first waiter needs, unless a request is on its way.
func (x *directoryModel) ask(m model.Memory, b, r int) {
	if v := x.sides[b][r]; m[v.asked] == 0 {
		m[v.asked] = int16(x.wish(m, b, r))
		x.send(m, r, x.homes[b], sendGet+b*sendBlock+int(m[v.asked]))
	}
}

// recallCopies recalls the copies that are not recalled yet.
func (x *directoryModel) recallCopies(m model.Memory, b int) {
	v := x.sides[b][x.homes[b]]
	for q := range x.ranks {
		if m[v.copies]&^m[v.called]&(1<<q) != 0 && !(q == x.ranks-1 && x.weak == "one copy is not recalled") {
			m[v.called] |= 1 << q
			x.send(m, x.homes[b], q, sendRecall+b*sendBlock+toWrite)
		}
	}
}

// serveFirst grants the block to the first waiter if it can, and takes the waiter out of the queue.
func (x *directoryModel) serveFirst(m model.Memory, b, r, who int) bool {
	v := x.sides[b][r]
	leave := func() {
		for k := range v.queue[1:] {
			m[v.queue[k]] = m[v.queue[k+1]]
		}
		m[v.queue[len(v.queue)-1]] = 0
		m[v.length]--
	}
	switch {
	case who == waitsShare:
		if !x.admit(m, v, constant, false) {
			return false
		}
		leave()
		x.share(m, b, r)
	case who == waitsRecall:
		if m[v.holders] > 0 && x.weak != "returned while it is held" {
			return false
		}
		leave()
		x.giveBack(m, b, r)
	case who >= waitsWriter:
		if (m[v.holders] > 0 || m[v.away] != 0) && x.weak != "two ranks may write" {
			return false
		}
		leave()
		x.give(m, b, who-waitsWriter)
	case who >= waitsReader:
		if !x.admit(m, v, constant, false) {
			return false
		}
		leave()
		x.giveCopy(m, b, who-waitsReader)
	default:
		if !x.admit(m, v, x.modeOf(who-1, b), false) {
			return false
		}
		leave()
		m[x.granted[who-1]] = 1
	}
	return true
}

// give gives a rank the right to write.
func (x *directoryModel) give(m model.Memory, b, to int) {
	v := x.sides[b][x.homes[b]]
	m[v.away], m[v.writer], m[v.recalled] = 1, int16(to), 0
	bytes, kind := int(m[v.bytes]), sendData
	if x.weak == "granted without the bytes" {
		bytes = int(m[x.sides[b][to].bytes])
	}
	if int(m[v.upgrades]) == to+1 {
		m[v.upgrades], kind, bytes = 0, sendSame, 0
	}
	x.send(m, x.homes[b], to, kind+b*sendBlock+bytes)
}

// giveCopy gives a rank a copy, and takes a hold for it at home.
func (x *directoryModel) giveCopy(m model.Memory, b, to int) {
	v := x.sides[b][x.homes[b]]
	if m[v.copies]&(1<<to) != 0 {
		m[v.holders]--
		return
	}
	m[v.copies] |= 1 << to
	bytes := int(m[v.bytes])
	if x.weak == "a copy without the bytes" {
		bytes = int(m[x.sides[b][to].bytes])
	}
	x.send(m, x.homes[b], to, sendCopy+b*sendBlock+bytes)
}

// share makes rank r, which had the right to write, return the bytes and keep a copy. The rank has the hold of the
// copy.
func (x *directoryModel) share(m model.Memory, b, r int) {
	v := x.sides[b][r]
	m[v.has] = toRead
	x.send(m, r, x.homes[b], sendShared+b*sendBlock+int(m[v.bytes]))
}

// unused reports whether rank r may give a block back without a request.
func (x *directoryModel) unused(m model.Memory, b, r int) bool {
	v := x.sides[b][r]
	return m[v.away] == 0 && (m[v.holders] == 0 || x.weak == "a block moves unasked that is held") && m[v.length] == 0
}

func (x *directoryModel) modeOf(edt, b int) access {
	return x.edts[edt].uses[slices.IndexFunc(x.edts[edt].uses, func(u blockUse) bool { return u.block == b })].mode
}

// giveBack gives the right of rank r back to the home.
func (x *directoryModel) giveBack(m model.Memory, b, r int) {
	v := x.sides[b][r]
	copied := m[v.has] == toRead
	m[v.has] = 0
	if !(copied && x.weak == "a copy is used after it went back") {
		m[v.away] = 1
	}
	if x.weak == "those that wait when a block goes back do not ask again" {
		m[v.asked] = toWrite
	}
	bytes := int(m[v.bytes])
	if x.weak == "returned without the bytes" {
		bytes = int(m[x.sides[b][x.homes[b]].bytes])
	}
	if copied {
		bytes = 0
	}
	x.send(m, r, x.homes[b], sendBack+b*sendBlock+bytes)
}

// request handles GET of a rank, at home.
func (x *directoryModel) request(m model.Memory, b, from, what int) {
	home := x.homes[b]
	v := x.sides[b][home]
	copied := m[v.copies]&(1<<from) != 0
	there := m[v.away] != 0 && (int(m[v.writer]) == from || x.weak == "requests are ignored while another rank may write")
	switch {
	case there || copied && what == toRead: // it is on its way there
	case what == toRead:
		x.join(m, b, home, waitsReader+from)
	case copied && (m[v.called]&(1<<from) == 0 || x.weak == "a copy is upgraded that is recalled"):
		m[v.copies] &^= 1 << from
		m[v.upgrades] = int16(from + 1)
		x.upgrade(m, b, home, waitsWriter+from)
	default:
		x.join(m, b, home, waitsWriter+from)
	}
}

// handle carries out a message on rank r.
func (x *directoryModel) handle(m model.Memory, from, r, message int) int {
	b, bytes := message&(sendGet-1)/sendBlock, message%sendBlock
	v := x.sides[b][r]
	switch message & sendKind {
	case sendGet:
		x.request(m, b, from, bytes)
	case sendData:
		m[v.away], m[v.asked], m[v.has], m[v.bytes] = 0, 0, toWrite, int16(bytes)
		x.serve(m, b, r)
	case sendCopy:
		if m[v.asked] == toRead {
			m[v.asked] = 0
		}
		m[v.away], m[v.has], m[v.bytes], m[v.class] = 0, toRead, int16(bytes), int16(constant)
		m[v.holders]++
		x.serve(m, b, r)
	case sendSame:
		m[v.asked], m[v.has] = 0, toWrite
		m[v.holders]--
		x.serve(m, b, r)
	case sendRecall:
		switch {
		case m[v.has] == toRead:
			x.upgrade(m, b, r, waitsRecall)
		case m[v.has] == toWrite && bytes == toRead:
			x.join(m, b, r, waitsShare)
		case m[v.has] == toWrite: // else it was given back already
			x.join(m, b, r, waitsRecall)
		}
	case sendBack:
		if m[v.copies]&(1<<from) != 0 {
			m[v.copies] &^= 1 << from
			m[v.called] &^= 1 << from
			m[v.holders]--
			if x.weak == "a writer does not wait for all copies" {
				m[v.holders] = 0
			}
		} else {
			m[v.away], m[v.writer], m[v.bytes] = 0, 0, int16(bytes)
		}
		x.serve(m, b, r)
	case sendShared:
		m[v.away], m[v.writer], m[v.bytes] = 0, 0, int16(bytes)
		if x.weak != "home does not hold the block for a copy that is kept" {
			m[v.class] = int16(constant)
			m[v.holders]++
		}
		m[v.copies] |= 1 << from
		x.serve(m, b, r)
	}
	return message
}

// run is the body of an EDT that has become runnable.
func (x *directoryModel) run(p *model.Process, k int) {
	e := x.edts[k]
	uses := slices.Clone(e.uses)
	if x.weak != "blocks are taken in the order of local names" {
		slices.SortFunc(uses, func(a, b blockUse) int { return a.block - b.block })
	}
	all := p.Atomically("runnable", func(m model.Memory) int {
		seen := 0
		for b, w := range x.written {
			seen |= int(m[w]) << (6 * b)
		}
		return seen
	})
	for _, u := range uses {
		v := x.sides[u.block][e.rank]
		const has, waits, passes = 0, 1, 2
		switch p.Atomically(fmt.Sprintf("acquire %c", 'A'+u.block), func(m model.Memory) int {
			waiting := m[v.length] > 0
			switch {
			case !x.admit(m, v, u.mode, true):
				x.join(m, u.block, e.rank, k+1)
				return waits
			case waiting && u.mode != ro:
				return passes
			}
			return has
		}) {
		case passes:
			p.Fail("EDT %d passes one that waits", k+1)
		case waits:
			p.Await(x.granted[k], 1)
			p.Store(x.granted[k], 0)
		}
	}
	p.Again(fmt.Sprint("runs ", all), func(p *model.Process) {
		for _, u := range uses {
			v, want := x.sides[u.block][e.rank], all>>(6*u.block)&(sendBlock-1)
			if got := p.Atomically(fmt.Sprintf("use %c", 'A'+u.block), func(m model.Memory) int {
				old := m[v.bytes]
				if u.mode == rw || u.mode == ew {
					m[v.bytes] |= 1 << k
				}
				return int(old)
			}); got&want != want {
				p.Fail("EDT %d does not see what was written: %b of %b", k+1, got, want)
			}
		}
		for _, u := range uses {
			p.Atomically(fmt.Sprintf("release %c", 'A'+u.block), func(m model.Memory) int {
				x.sides[u.block][e.rank].release(m, u.mode)
				if u.mode == rw || u.mode == ew {
					m[x.written[u.block]] |= 1 << k
				}
				x.serve(m, u.block, e.rank)
				return 0
			})
		}
		p.Add(x.ended, 1)
	})
}

func (x *directoryModel) over(m model.Memory) bool {
	return int(m[x.ended]) == len(x.edts) && x.net.empty(m)
}

// spawn adds the processes: EDTs, and the channels that blocks use.
func (x *directoryModel) spawn(s *model.System) {
	begun := s.Word("begun", 0)
	for k := range x.edts {
		s.Go(fmt.Sprint("EDT", k+1), func(p *model.Process) {
			p.Atomically("begin", func(m model.Memory) int {
				if m[begun] == 0 {
					m[begun] = 1
					x.begin(m)
				}
				return 0
			})
			x.run(p, k)
		})
	}
	for from := range x.ranks {
		for to := range x.ranks {
			if from != to && (slices.Contains(x.homes, from) || slices.Contains(x.homes, to)) {
				x.channel(s, from, to)
			}
		}
	}
}

func (x *directoryModel) channel(s *model.System, from, to int) {
	loop(s, fmt.Sprintf("%d->%d", from, to), x.over, func(m model.Memory) bool { return x.net.next(m, from, to) != 0 },
		func(m model.Memory) int { return x.handle(m, from, to, x.net.take(m, from, to)) })
}

// loop adds a process that calls f whenever ready holds, until over holds.
func loop(s *model.System, name string, over, ready func(m model.Memory) bool, f func(m model.Memory) int) {
	var again func(p *model.Process)
	again = func(p *model.Process) {
		switch p.When(name, func(m model.Memory) bool { return over(m) || ready(m) }, func(m model.Memory) int {
			if over(m) {
				return 0
			}
			return f(m)
		}) {
		case 0:
		default:
			p.Again("loop", again)
		}
	}
	s.Go(name, again)
}

// exclude adds the conditions: over all ranks no two holders have modes that exclude each other, and no write is lost.
func (x *directoryModel) exclude(s *model.System) {
	s.Always(func(m model.Memory) string {
		for _, sides := range x.sides {
			for r, v := range sides {
				for q := range r {
					w := sides[q]
					read := m[v.class] == int16(constant) && m[w.class] == int16(constant)
					if m[v.holders] > 0 && m[w.holders] > 0 && !read {
						return fmt.Sprintf("%v on one rank holds beside %v on another", access(m[v.class]), access(m[w.class]))
					}
				}
			}
		}
		return ""
	})
	s.Finally(func(m model.Memory) string {
		for b, sides := range x.sides {
			v := sides[x.homes[b]]
			copies := m[v.copies]
			if m[v.away] != 0 {
				v = sides[m[v.writer]]
			}
			if m[v.bytes]&m[x.written[b]] != m[x.written[b]] {
				return "a write is lost"
			}
			for r, v := range sides {
				left := m[v.holders] + m[v.readers] + m[v.length]
				for q := range x.ranks { // holds of copies
					if r == q || r == x.homes[b] {
						left -= copies >> q & 1
					}
				}
				if left != 0 {
					return "a block is held at the end"
				}
			}
		}
		return ""
	})
}

// A move takes block 0 away from a rank without a request, once: the home gives rank to the right to write, or a copy;
// a writer gives the block back.
type move struct {
	from, to int
	copy     bool
}

func (x *directoryModel) move(s *model.System, v move) {
	s.Go(fmt.Sprint("unasked ", v), func(p *model.Process) {
		p.When("moves", func(m model.Memory) bool {
			h := x.sides[0][v.from]
			return x.over(m) || int(m[x.ended]) > 0 && (x.unused(m, 0, v.from) ||
				v.copy && m[h.away] == 0 && m[h.length] == 0 && access(m[h.class]) == constant && m[h.copies]&(1<<v.to) == 0)
		}, func(m model.Memory) int {
			switch {
			case x.over(m):
			case v.copy:
				x.admit(m, x.sides[0][v.from], constant, true)
				x.giveCopy(m, 0, v.to)
			case v.from == x.homes[0]:
				x.give(m, 0, v.to)
			default:
				x.giveBack(m, 0, v.from)
			}
			return 0
		})
	})
}

func directorySystem(ranks int, homes []int, moves []move, edts ...blockEDT) func(weak string) *model.System {
	return func(weak string) *model.System {
		s := model.New(fmt.Sprintf("directory: %d ranks, homes %v, unasked %v, EDTs %v", ranks, homes, moves, edts))
		x := newDirectoryModel(s, weak, ranks, homes, edts)
		x.spawn(s)
		for _, v := range moves {
			x.move(s, v)
		}
		x.exclude(s)
		return s
	}
}

// one returns an EDT with one block.
func one(rank int, a access) blockEDT { return blockEDT{rank, []blockUse{{0, a}}} }

func TestDirectory(t *testing.T) {
	modes := []access{rw, ew, ro, constant}
	for _, a := range modes {
		for _, b := range modes {
			t.Run(fmt.Sprint(a, b), func(t *testing.T) {
				explore(t, directorySystem(2, []int{0}, nil, one(0, a), one(1, b), one(1, ew)))
				explore(t, directorySystem(3, []int{0}, nil, one(1, a), one(2, b), one(0, ro)))
			})
		}
	}
	t.Run("unasked", func(t *testing.T) {
		explore(t, directorySystem(3, []int{0}, []move{{from: 1}}, one(1, ew), one(1, rw), one(2, rw)))
		explore(t, directorySystem(3, []int{0}, []move{{from: 1}}, one(1, ew), one(2, rw), one(0, ew)),
			variant{"a block moves unasked that is held", "holds beside"})
		explore(t, directorySystem(3, []int{0}, []move{{to: 1}}, one(0, ew), one(1, rw), one(2, rw)),
			variant{"a block moves unasked that is held", "holds beside"},
			variant{"requests are ignored while another rank may write", "deadlock"})
		explore(t, directorySystem(3, []int{0}, []move{{to: 1}, {from: 1}}, one(0, ew), one(1, ew), one(2, rw)))
		explore(t, directorySystem(2, []int{0}, []move{{to: 1}, {from: 1}}, one(0, ew), one(1, ew), one(0, rw)))
	})
	t.Run("four EDTs", func(t *testing.T) {
		explore(t, directorySystem(3, []int{0}, nil, one(1, rw), one(1, rw), one(2, constant), one(0, ew)))
	})
	explore(t, directorySystem(3, []int{0}, nil, one(1, ew), one(2, rw), one(0, ro)),
		variant{"two ranks may write", "holds beside"},
		variant{"returned while it is held", "holds beside"},
		variant{"readers use what is away", "does not see"},
		variant{"granted without the bytes", "does not see"},
		variant{"returned without the bytes", "does not see"},
		variant{"home does not recall", "deadlock"})
	t.Run("asked again", func(t *testing.T) {
		explore(t, directorySystem(2, []int{0}, nil, one(1, ew), one(1, ew), one(0, ew)),
			variant{"those that wait when a block goes back do not ask again", "deadlock"})
	})
	t.Run("copies", func(t *testing.T) {
		explore(t, directorySystem(3, []int{0}, nil, one(1, constant), one(2, constant), one(0, ew)),
			variant{"one copy is not recalled", "deadlock"},
			variant{"a writer does not wait for all copies", "holds beside"},
			variant{"a copy without the bytes", "does not see"})
		explore(t, directorySystem(2, []int{0}, nil, one(1, constant), one(1, constant), one(0, ew)),
			variant{"readers pass a writer that waits", "passes"})
		explore(t, directorySystem(2, []int{0}, nil, one(1, ro), one(0, ew), one(1, ro), one(1, constant)),
			variant{"a copy is used after it went back", "holds beside"})
		explore(t, directorySystem(3, []int{0}, nil, one(1, ew), one(0, constant), one(2, constant), one(1, rw)),
			variant{"home does not hold the block for a copy that is kept", "holds beside"})
		explore(t, directorySystem(3, []int{0}, nil, one(1, constant), one(2, constant), one(1, ew), one(2, ew)),
			variant{"a copy is upgraded that is recalled", "deadlock"})
		explore(t, directorySystem(3, []int{0}, []move{{to: 1, copy: true}},
			one(0, rw), one(1, constant), one(1, ew), one(2, constant)))
	})
	two := func(rank, first, second int) blockEDT { return blockEDT{rank, []blockUse{{first, ew}, {second, ew}}} }
	t.Run("two blocks", func(t *testing.T) {
		explore(t, directorySystem(2, []int{0, 1}, nil, two(0, 0, 1), two(1, 1, 0)),
			variant{"blocks are taken in the order of local names", "deadlock"})
		explore(t, directorySystem(3, []int{0, 0}, nil, two(1, 0, 1), two(2, 1, 0)),
			variant{"blocks are taken in the order of local names", "deadlock"})
	})
}
