//go:build !amd64 || race

package word

// totalStoreOrder says whether plain stores become visible in program order. For the race detector a plain store does
// not publish.
const totalStoreOrder = false
