package graphtest

// A Feature is an optional part of plans: [Shrink] leaves out one feature after the other. A set of features is their
// sum, which tests print and accept.
type Feature uint

// The features.
const (
	SceneActs Feature = 1 << iota // scenes, see scene.go
	Victims                       // EDTs that are destroyed before they run
	Scopes                        // nested finish EDTs
	Places                        // affinities and priorities
	Releases                      // blocks released or downgraded in mid-body
	Links                         // events that wait for events
	Channels                      // channel events
	Outputs                       // output events of EDTs that are not finish EDTs
	Wide                          // EDTs with more than a few slots
	GoesOn                        // EDTs that call Again
	Data                          // data blocks

	numFeatures = iota
)
