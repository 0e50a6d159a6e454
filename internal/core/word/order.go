//go:build !amd64 || race

package word

// totalStoreOrder says whether plain stores become visible in program order. The race detector takes none for one that
// publishes.
const totalStoreOrder = false
