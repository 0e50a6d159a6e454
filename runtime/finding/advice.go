package finding

// Advice says what to do about findings of a kind: about a note, also when it is nothing.
func (k Kind) Advice() string {
	if int(k) < len(advice) {
		return advice[k]
	}
	return ""
}

const bySelves = "mark the block Synchronised if its EDTs order their accesses by themselves"

var advice = [...]string{
	ReadOnlyWrite: "hold the block in mode RW or EW, or write to a block of the EDT's own",
	LateAccess:    "release the block after its last use; a goroutine must end before that",
	EarlyExposure: "release the block before the call that hands it on, as Event.Send does, or return it from the body",
	WriteRace:     "order the two EDTs by an event, or hold the block in mode EW; " + bySelves,
	ReadRace: "order the two EDTs by an event; if they use different bytes, or old ones are as good: " +
		"AllowUnordered(block, edt.ReadsAndWrites); " + bySelves,
	OnceRace:    "add the dependence before anything can trigger the event, or use a sticky event",
	Undestroyed: "destroy it in an EDT that comes after all its users",
	Blocking:    "cut the EDT up: one that waits for something should be two, the second behind an event",
	DestroyRace: "destroy the block in an EDT that comes after all its users: a latch can count them",
	TurnOrder: "order the two EDTs by an event; if either order is right, as for sums: " +
		"AllowUnordered(block, edt.ExclusiveWriters)",
	SendOrder: "nothing if it does not matter which dependence gets what; else order the two EDTs, or use two events",
	StrayCall: "use a Ctx in the body that it was given to, and on its goroutine",
	SharedWord: "nothing if both write elements smaller than a word; else order the two EDTs by an event, " +
		"or hold the block in mode EW",
}
