package machine

import (
	"fmt"
	"slices"

	"ocr/internal/core/cpulist"
	"ocr/internal/core/sys"
)

// Lacks reports whether the process's present mask lacks one of these processors.
func Lacks(cpus []int) bool {
	mask, err := sys.GetAffinity()
	return err == nil && slices.ContainsFunc(cpus, func(cpu int) bool { return !slices.Contains(mask, cpu) })
}

// Changed says how the processors that this process may use, or the quota of their time, have changed since Read; "" if
// they have not.
func (m *Machine) Changed() string {
	now := Machine{Allowed: m.Allowed, Quota: sys.CPUQuota()}
	if mask, err := sys.GetAffinity(); err == nil {
		now.Allowed = mask
	}
	if slices.Equal(m.Allowed, now.Allowed) && m.Quota == now.Quota {
		return ""
	}
	return fmt.Sprintf("what this process may use has changed from %v to %v", m.limits(), now.limits())
}

func (m *Machine) limits() string {
	text := "processors " + cpulist.Format(m.Allowed)
	if m.Quota > 0 {
		text += fmt.Sprintf(" with a quota of %.3g", m.Quota)
	}
	return text
}
