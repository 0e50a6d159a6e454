package check

import (
	"ocr/guid"
	"ocr/runtime/finding"
)

// finding returns a finding about EDT n, which may be nil, and about an object that was created at line madeAt.
func (n *node) finding(kind finding.Kind, site string, object guid.GUID, madeAt, detail string) finding.Finding {
	f := finding.Finding{Kind: kind, Site: site, Object: object, ObjectSite: madeAt, Detail: detail}
	if n != nil {
		f.EDT, f.Template, f.About = n.edt, n.template, n.about
	}
	return f
}

// against returns the finding with n as the other EDT; unchanged if n is nil.
func (n *node) against(f finding.Finding) finding.Finding {
	if n != nil {
		f.Other, f.OtherTemplate, f.OtherAbout = n.edt, n.template, n.about
	}
	return f
}

// findingKey identifies equal findings: they are reported once, with a count.
type findingKey struct {
	kind                                      finding.Kind
	template, other, site, objectSite, detail string
}

// maxFindings is the largest number of different findings that are kept.
const maxFindings = 1000

// report adds a finding.
func (k *Checker) report(f finding.Finding) {
	key := findingKey{f.Kind, f.Template, f.OtherTemplate, f.Site, f.ObjectSite, ""}
	if f.Kind == finding.Undestroyed {
		key.detail = f.Detail
	}
	if at, ok := k.seen[key]; ok {
		k.findings[at].Count++
		return
	}
	if len(k.findings) == maxFindings {
		k.dropped++
		return
	}
	f.Count = 1
	k.seen[key] = len(k.findings)
	k.findings = append(k.findings, f)
}
