//go:build amd64 && !race

package word

// totalStoreOrder says whether plain stores become visible in program order.
const totalStoreOrder = true
