package remote

import (
	"sync/atomic"
	"time"

	"ocr/edt"
	"ocr/guid"
	"ocr/internal/core/block"
	"ocr/internal/core/ids"
	"ocr/internal/core/word"
	"ocr/internal/rank"
)

// A Config is what a host says of one rank of a run.
type Config struct {
	Engine rank.Engine
	// Run, Beside, Window and Spread are those of [edt.Ranks].
	Run    uint32
	Beside *edt.Graph
	Window edt.Window
	Spread func() int
	// Patience is the time between the first two waves while an EDT waits on rank 0; see [Part.Postponed].
	Patience time.Duration
	// Await is called again and again while an EDT waits for an answer of another rank; if nil, the EDT polls.
	Await func()
	// Report returns what the host of this rank reports to rank 0 when the run has ended, see [Part.RankReports]. It may
	// be nil.
	Report func() []byte
}

// A Part is the part of one rank in a run: an [edt.Remote].
//
// Concurrency: messages are handled by the goroutine that holds the courier lock of the graph, which owns the fields
// from caller to handled. names, scopes and shared have locks of their own.
type Part struct {
	Config
	order    *rank.Order
	me, size int
	space    ids.Space // of this rank's names
	courier  edt.Home
	handler  func(from int, m *rank.Message) bool
	blocks   *block.Store
	locals   []local // by worker, and last the courier's

	caller   edt.RemoteCaller // of the message that is handled
	asks     *rank.Message
	creation edt.RemoteEDT // memory for CREATE
	received uint64        // messages that were handled; any goroutine loads the count
	handled  uint64        // as received, without control messages
	shutdown shutdown

	names  stocks
	scopes scopes
	shared sharedBlocks
}

// A local is what one worker has for itself.
type local struct {
	answer  atomic.Pointer[rank.Message] // to the query of the worker's EDT; nil until the answer has come
	proxies [knownProxies]knownProxy
	m       rank.Message // memory for CREATE
	tail    []byte       // memory for the tail of CREATE
	_       [64]byte
}

// New makes the part of the rank of an engine.
func New(config Config) *Part {
	e := config.Engine
	p := &Part{
		Config: config, order: rank.NewOrder(e), me: e.Rank(), size: e.Size(), space: ids.NewSpace(config.Run, e.Rank()),
	}
	p.names.by = make([]stocksOf, p.size)
	p.handler = p.handle
	return p
}

// Ranks returns what the configuration of a graph says about ranks; nil if p is nil, for a run in one process.
func (p *Part) Ranks() *edt.Ranks {
	if p == nil {
		return nil
	}
	return &edt.Ranks{
		Join: p.start, Rank: p.me, Size: p.size, Run: p.Run, Beside: p.Beside, Window: p.Window, Spread: p.Spread,
	}
}

// start implements Join of [edt.Ranks]: it stores the courier of the graph.
func (p *Part) start(courier edt.Home) edt.Remote {
	p.courier = courier
	p.blocks = courier.Store()
	p.locals = make([]local, courier.Workers()/p.size+1)
	return p
}

// own returns the local of the worker of a context.
func (p *Part) own(c *edt.Ctx) *local { return &p.locals[edt.Home{Ctx: c}.Number()] }

// name returns the GUID of an object of a rank.
func (p *Part) name(home int, kind guid.Kind, low uint64) guid.GUID {
	return guid.FromWords(p.space.Of(home).High(uint8(kind)), low)
}

// Poll implements [edt.Remote].
func (p *Part) Poll(budget int) {
	done := false
	defer func() {
		if !done {
			if p.leaveMessage(); p.shutdown.leaving { // the host has stopped: no worker of it recovers the panic
				p.courier.Recovered(recover())
			}
		}
	}()
	if n := p.Engine.Poll(budget, p.handler); n > 0 {
		word.Publish(&p.received, p.received+uint64(n))
	}
	if p.shared.going.Load() != 0 {
		p.freeDestroyed()
	}
	p.order.Go()
	done = true
}

// leaveMessage cleans up after a message whose handler has panicked. Control messages do not panic.
func (p *Part) leaveMessage() {
	asks, from := p.asks, p.caller.From
	p.handled++
	p.asks = nil
	p.courier.Handle(nil)
	if asks != nil { // this rank has ended the run: the EDT that asked gets Null, as it must come to its end
		p.send(p.courier.Ctx, from, answerTo(asks))
	}
}

// Received returns the number of messages of other ranks that were handled so far. Any goroutine may call it.
func (p *Part) Received() uint64 { return atomic.LoadUint64(&p.received) }

// Arrived implements [edt.Remote], as does Held.
func (p *Part) Arrived() bool { return p.Engine.Arrived() }
func (p *Part) Held() bool    { return p.order.Held() }
