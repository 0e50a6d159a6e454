package graphtest

// A Feature is an optional part of plans: [Shrink] leaves out one feature after the other. A set of features is their
// sum, which tests print and accept.
type Feature uint

const (
	// SceneActs: scenes, see scene.go.
	SceneActs Feature = 1 << iota
	// Victims: EDTs that are destroyed before they run.
	Victims
	// Scopes: nested finish EDTs.
	Scopes
	// Places: affinities and priorities.
	Places
	// Releases: blocks released or downgraded in mid-body.
	Releases
	// Links: events that wait for events.
	Links
	// Channels: channel events.
	Channels
	// Outputs: output events of EDTs that are not finish EDTs.
	Outputs
	// Wide: EDTs with more than a few slots.
	Wide
	// GoesOn: EDTs that call Again.
	GoesOn
	// Data: data blocks.
	Data

	numFeatures = iota
)
