package report

import (
	"slices"
	"strings"
)

// rename gives results that were saved under earlier names their present names, so that they are compared with the same
// measurement.
//
// In synch_p2p the setting clone, and the end of the name, said whether an EDT creates the next one or goes on as it,
// which was the default. Now the form says it: edt or edt-again. The rows sweep of overhead were of the latter.
func (d *Document) rename() {
	name := func(old string) string { return old }
	clone := slices.IndexFunc(d.Config, func(s Setting) bool { return s.Key == "clone" })
	switch {
	case d.App == "synch_p2p" && clone >= 0:
		name = sweepForm
		d.Config = slices.Delete(d.Config, clone, clone+1)
	case d.App == "overhead":
		name = func(old string) string {
			return strings.Replace(old, "/sweep/grid=", "/sweep/form=edt-again/grid=", 1)
		}
	}
	d.Baseline = name(d.Baseline)
	for k := range d.Results {
		d.Results[k].Name = name(d.Results[k].Name)
	}
}

// sweepForm returns the present name of a result of synch_p2p.
func sweepForm(old string) string {
	if name, created := strings.CutSuffix(old, "/clone=new"); created {
		return name
	}
	part := strings.Split(old, "/")
	if len(part) > 1 && (part[1] == "edt" || part[1] == "edt-channel") {
		part[1] += "-again"
	}
	return strings.Join(part, "/")
}
