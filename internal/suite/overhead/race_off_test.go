//go:build !race

package overhead

const raceDetector = false
