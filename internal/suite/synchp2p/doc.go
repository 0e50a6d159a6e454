// Package synchp2p measures the app synch_p2p: its graphs of EDTs against a plain loop and
// against goroutines.
package synchp2p
