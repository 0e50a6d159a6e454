package cell_test

import (
	"fmt"

	"ocr/datablock/cell"
)

// A writer fills in a payload, then raises the flag. A reader that sees the flag sees the payload.
func ExampleStore() {
	payload, flag := make([]byte, 5), uint32(0)
	copy(payload, "hello")
	cell.Store(&flag, 1)
	if cell.Load(&flag) == 1 {
		fmt.Printf("%s\n", payload)
	}
	// Output: hello
}

// A word may have one byte.
func ExampleLoad() {
	word := byte(7)
	fmt.Println(cell.Load(&word))
	// Output: 7
}

// Each call is short. The caller loops.
func ExampleAwait() {
	turn := uint64(0)
	go cell.Store(&turn, 3)
	for !cell.Await(&turn, 3, 100) {
	}
	fmt.Println(turn)
	// Output: 3
}

// A cell that counts may be larger than the awaited value.
func ExampleReach() {
	done := uint64(5)
	fmt.Println(cell.Reach(&done, 4, 100), cell.Reach(&done, 6, 100))
	// Output: true false
}

// All cells are set to one value.
func ExampleFill() {
	cells := make([]uint16, 4)
	cell.Fill(cells, 9)
	fmt.Println(cells)
	// Output: [9 9 9 9]
}

// Match finds how far another EDT has come in setting cells.
func ExampleMatch() {
	fmt.Println(cell.Match([]uint32{1, 1, 1, 0, 1}, 1))
	// Output: 3
}

// The caller continues where the last call stopped.
func ExampleAwaitAll() {
	cells, seen := make([]uint32, 100), 0
	go cell.Fill(cells, 1)
	for seen < len(cells) {
		seen += cell.AwaitAll(cells[seen:], 1, 100)
	}
	fmt.Println(seen)
	// Output: 100
}

// Reply is one side of a game of ping-pong.
func ExampleReply() {
	ping, pong := uint32(1), uint32(0)
	fmt.Println(cell.Reply(&ping, &pong, 1, 2, 100), pong)
	// Output: true 2
}
