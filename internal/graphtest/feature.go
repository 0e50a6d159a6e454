package graphtest

import (
	"slices"
	"strings"
)

// A Feature is something that plans can do without. Who looks for the cause of a
// failure leaves out one after the other; see [Shrink].
type Feature uint

const (
	// Labels: objects created under labels, late, or raced for.
	Labels Feature = 1 << iota
	// SceneActs: what is in scene.go.
	SceneActs
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

	numFeatures = iota
)

var featureNames = [numFeatures]string{
	"labels", "scenes", "victims", "scopes", "places", "releases", "links", "channels", "outputs", "wide",
}

// String lists the features by name, as [ParseFeatures] reads them.
func (f Feature) String() string {
	var names []string
	for k, name := range featureNames {
		if f>>k&1 != 0 {
			names = append(names, name)
		}
	}
	return strings.Join(names, ",")
}

// ParseFeatures is the inverse of [Feature.String]; names that it does not know are
// left out.
func ParseFeatures(s string) (f Feature) {
	for name := range strings.SplitSeq(s, ",") {
		if k := slices.Index(featureNames[:], name); k >= 0 {
			f |= 1 << k
		}
	}
	return f
}
