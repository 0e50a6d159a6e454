package sys

import "fmt"

// Throttled says that this many busy threads get less than a processor's time each, "" if the quota suffices. quota is
// that of [CPUQuota].
func Throttled(threads int, quota float64) string {
	if quota == 0 || float64(threads) <= quota {
		return ""
	}
	return fmt.Sprintf("the process has the time of %.3g processors, by the quota of its control group: the system "+
		"stops busy workers for a part of each period", quota)
}
