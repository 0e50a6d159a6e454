package sys

import "fmt"

// Throttled says that the quota gives each of some busy threads less time than a processor has, "" if it does not.
// quota is that of [CPUQuota].
func Throttled(threads int, quota float64) string {
	if quota == 0 || float64(threads) <= quota {
		return ""
	}
	return fmt.Sprintf("the process has the time of %.3g processors, by the quota of its control group: the system "+
		"stops %d workers for a part of each period", quota, threads)
}
