// Package fft transforms complex points by the fast Fourier transform, in place: butterflies over the two
// halves, and then the transforms of both, recursively. Halves longer than the cut-off are several data
// blocks, and what is done on them several EDTs.
//
// The spectrum comes in the order of reversed bits, as such a transform leaves it; [App.Spectrum] finds a frequency.
package fft
