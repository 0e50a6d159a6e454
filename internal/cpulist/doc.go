// Package cpulist reads and writes sets of CPUs in the list syntax of Linux, as
// in /sys/devices/system/cpu/online, taskset -c and cpuset files: numbers and
// ranges separated by commas, a range with an optional stride.
//
//	cpus, err := cpulist.Parse("0-3,8,10-14:2") // 0 1 2 3 8 10 12 14
//	text := cpulist.Format(cpus)                // 0-3,8,10,12,14
package cpulist
