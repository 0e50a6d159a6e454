package matrix_test

import (
	"fmt"
	"os"

	"ocr/internal/matrix"
	"ocr/internal/topo"
)

func ExampleMatrix_Table() {
	machine := &topo.Topology{CPUs: []topo.CPU{
		{ID: 0, Core: 0, Package: 0, L2: 0, L3: 0, Node: 0},
		{ID: 1, Core: 1, Package: 1, L2: 1, L3: 1, Node: 1},
		{ID: 2, Core: 0, Package: 0, L2: 0, L3: 0, Node: 0},
	}}
	m := matrix.New(matrix.Input{
		Title: "single element, one line: one-way latency", Unit: "ns",
		Topology: machine, CPUs: []int{0, 1, 2}, Symmetric: true,
		Values: map[matrix.Pair]float64{{From: 0, To: 1}: 131.2, {From: 0, To: 2}: 7.4},
	})
	table := m.Table()
	if err := table.Write(os.Stdout, 0); err != nil {
		fmt.Println(err)
	}
	fmt.Print(m.Legend())
	// Output:
	// CPU       0     2  #     1
	// 0            7.4s  #131.2
	// 2      7.4s        #    -
	// ===========================
	// 1    131.2     -   #
	// s   both CPUs are threads of one core
	// -   not measured (1 of 3 pairs)
	// # = boundary between packages
	// package 0, node 0, L3 0: CPUs 0,2
	// package 1, node 1, L3 1: CPU 1
}
