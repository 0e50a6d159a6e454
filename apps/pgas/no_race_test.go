//go:build !race

package pgas

const raceDetector = false
