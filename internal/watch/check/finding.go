package check

import "ocr/runtime/finding"

// findingKey identifies findings that are reported once, with a count.
type findingKey struct {
	kind                                      finding.Kind
	template, other, site, objectSite, detail string
}

// maxFindings bounds the different findings that are kept.
const maxFindings = 1000

// report adds a finding. The caller holds the lock.
func (k *Checker) report(f finding.Finding) {
	if k.first != nil {
		k.first.tell(f)
		return
	}
	f.Ranks = k.messages != nil
	key := findingKey{f.Kind, f.Template, f.OtherTemplate, f.Site, f.ObjectSite, ""}
	if f.Kind == finding.Undestroyed || f.Kind == finding.LabelNever {
		key.detail = f.Detail
	}
	if at, ok := k.seen[key]; ok {
		same := &k.findings[at]
		if f.Count = same.Count + 1; same.Note && !f.Note {
			*same = f
		}
		same.Count = f.Count
		return
	}
	if len(k.findings) == maxFindings {
		return
	}
	f.Count = 1
	k.seen[key] = len(k.findings)
	k.findings = append(k.findings, f)
}
