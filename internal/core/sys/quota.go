package sys

import "fmt"

// Throttled says that threads that are always busy have less time than a processor each, "" if they have as much. quota
// is that of [CPUQuota].
func Throttled(threads int, quota float64) string {
	if quota == 0 || float64(threads) <= quota {
		return ""
	}
	return fmt.Sprintf("the process has the time of %.3g processors, by the quota of its control group: the system "+
		"stops %d workers for a part of each period", quota, threads)
}
