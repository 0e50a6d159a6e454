package sys

import "os"

// CPUQuota returns how many processors' time (such as 0.5) the control groups of this process allow by cpu.max or
// cpu.cfs_quota_us: the smallest of the group and its ancestors. 0 means no limit, or unknown.
func CPUQuota() float64 { return cpuQuota(controlGroups(os.DirFS("/"), "cpu")) }

func cpuQuota(groups []controlGroup) (least float64) {
	for _, g := range groups {
		if q := g.quota(); q > 0 && (least == 0 || q < least) {
			least = q
		}
	}
	return least
}

// quota returns the group's own limit, 0 for none.
func (g controlGroup) quota() float64 {
	time, period := int64(0), int64(0)
	if g.v2 {
		if both := g.numbers("cpu.max"); len(both) == 2 {
			time, period = both[0], both[1]
		}
	} else {
		time, _ = g.number("cpu.cfs_quota_us")
		period, _ = g.number("cpu.cfs_period_us")
	}
	if time <= 0 || period <= 0 {
		return 0
	}
	return float64(time) / float64(period)
}
