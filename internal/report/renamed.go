package report

import (
	"slices"
	"strings"
)

// rename gives results that were saved under earlier names the names that such results have now, so that they are
// compared with their like.
//
// Results of synch_p2p said in the setting clone and at the end of the name which form an EDT was of, and none meant
// that it goes on; now the form says it: edt, as the seed has it, or edt-again. The rows sweep of overhead were of the
// latter.
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
