//go:build explore

package breaks

const (
	remoteFolder = "internal/rank/remote/"
	directory    = remoteFolder + "directory.go"
	blockProxy   = remoteFolder + "proxy.go"
	termination  = remoteFolder + "termination.go"
	remoteScope  = "edt/remote_scope.go"
)

// inGraphs is a break of a protocol between ranks, which random graphs over ranks find in some order of messages.
func inGraphs(name, file, old, edit string) broken {
	return broken{name: name, file: file, old: old, new: edit, in: "internal/proof/graphtest", test: "OverRanks"}
}

var directoryBreaks = []broken{
	inGraphs("home gives a block away that is held", directory,
		"e.r.TryAcquire(what.mode()) {", "(e.r.TryAcquire(what.mode()) || true) {"),
	inGraphs("a writer gives a block back that is held", blockProxy,
		"x.r.TryAcquire(datablock.EW) {", "(x.r.TryAcquire(datablock.EW) || true) {"),
	inGraphs("GET is ignored while another rank may write", directory,
		"return e.writer == to ||", "return e.writer >= 0 ||"),
	inGraphs("two ranks may write", directory,
		"\tcase block.Granted:\n\t\tp.give(p.courier, e, to, need)\n",
		"\tcase block.Granted, block.Queued:\n\t\tp.give(p.courier, e, to, need)\n"),
	inGraphs("a block is recalled that is held", blockProxy, "== block.Granted:", "<= block.Granted:"),
	inGraphs("readers use what is lent", "internal/core/block/record.go",
		"(fair || state&lent != 0)", "(fair || state&lent != 0) && m != datablock.RO"),
	inGraphs("DATA has no bytes", directory,
		"flags, bytes := uint64(what), e.r.Bytes()", "flags, bytes := uint64(what), make([]byte, e.r.Size())"),
	inGraphs("a copy has no bytes", directory,
		"\t\te.addReader(to)\n\t}\n\tp.sendBlock",
		"\t\te.addReader(to)\n\t\tbytes = make([]byte, e.r.Size())\n\t}\n\tp.sendBlock"),
	inGraphs("BACK has no bytes", blockProxy, "return x.r.Bytes()", "return make([]byte, x.r.Size())"),
	inGraphs("home does not recall", directory, "case e.writer >= 0 && !e.recalled:", "case false:"),
	inGraphs("home does not look behind those that get the block", directory,
		"\tp.recallFor(e) // for the waiter behind those that have got the block\n", ""),
	inGraphs("those that wait when a block goes back do not ask again", blockProxy,
		"\t}\n\tp.askFor(h, x)\n", "\t}\n"),
	inGraphs("a right that is too little is not asked for again", blockProxy,
		"\tp.Want(p.courier.Ctx, uint64(x.i)) // the right may be too little for the next waiter\n", ""),
	inGraphs("one copy is not recalled", directory,
		"\t\tif !e.called.has(to) {\n", "\t\tif !e.called.has(to) && to != p.size-1 {\n"),
	inGraphs("a writer does not wait for all copies", directory,
		"\t} else {\n\t\tp.courier",
		"\t} else {\n\t\tfor range e.readers {\n\t\t\town.Release(e.i, e.r, datablock.Const, nil)\n\t\t}\n\t\tp.courier"),
	inGraphs("a copy is used after it went back", blockProxy,
		"\t\tx.r.Send()\n\t}\n\tx.has", "\t\tif x.has == toWrite {\n\t\t\tx.r.Send()\n\t\t}\n\t}\n\tx.has"),
	inGraphs("home does not hold the block for a copy that is kept", directory, "e.r, keeps, nil", "e.r, false, nil"),
	inGraphs("a copy is upgraded that is recalled", directory,
		"e.readers.has(to) && !e.called.has(to):", "e.readers.has(to):"),
	inGraphs("home forgets who upgrades a copy", directory, "\te.upgrades = to + 1\n", ""),
	inGraphs("blocks are taken in the order of local names", "edt/acquire.go",
		"return c.blockInOrder(slots[a].word).Compare(c.blockInOrder(slots[b].word))",
		"return cmp.Compare(slots[a].word, slots[b].word)"),
}

var proxyScopeBreaks = []broken{
	inGraphs("an EDT is sent without its token", "edt/remote_calls.go",
		"\t\tscope = c.scope\n\t\tc.takeToken()\n", "\t\tscope = c.scope\n"),
	inGraphs("an EDT that enters a proxy brings no token", remoteScope,
		"\te.head.Begin(e.head.Look().Waiters() + 1)\n", ""),
	inGraphs("one token goes back", remoteScope, "RemoteSlot(e.head.Look())", "RemoteSlot(1)"),
	inGraphs("a closed proxy is not forgotten", remoteFolder+"calls.go",
		"\t\tp.scopes.forget(scopeOf{to, low(a.On)}, uint32(low(a.With)))\n", ""),
	{name: "an EDT joins a proxy that closes", file: remoteScope, in: "internal/rank/remote", test: "ProxyThatCloses",
		old: "\tif !e.count.Enter() {\n", new: "\tif e.count.Take(1); false {\n"},
	{name: "a proxy is free before it is forgotten", file: remoteScope, in: "internal/rank/remote",
		test: "ProxyThatCloses", old: "\tc.g.ranks.Send", new: "\tc.freeScope(i, e)\n\tc.g.ranks.Send"},
}

var endBreaks = []broken{
	{name: "a rank answers at once", file: remoteFolder + "shutdown.go", in: "internal/proof/graphtest", test: "OverRanks",
		large: true, old: "\t\ts.waves.begin(len(p.children()), 0, 0)\n",
		new: "\t\ts.waves.begin(len(p.children()), 0, 0)\n\t\tp.isOver()\n"},
	{name: "a rank answers that was passive before it had the lock", file: "edt/remote_run.go", in: "runtime",
		test: "Passive", old: "over = quiet() && g.ranks", new: "over = g.ranks"},
	{name: "one wave", file: termination, test: "Waves",
		old: "w.any && w.before == w.sent", new: "w.handled == w.sent"},
	{name: "sent by the first wave, handled by the second", file: termination, test: "Waves",
		old: "w.before == w.sent\n\tw.any, w.before, w.compared = true, w.handled, true",
		new: "w.before == w.handled\n\tw.any, w.before, w.compared = true, w.sent, true"},
}
