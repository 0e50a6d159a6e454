package edt_test

import (
	"testing"

	"github.com/google/uuid"

	"ocr/edt"
	"ocr/guid"
)

// The names of templates and ranges are UUIDs like those of all other objects.
func TestTemplateGUIDIsAUUID(t *testing.T) {
	everywhere(t, func(tr *trial) edt.Func {
		return body(func(c *edt.Ctx, _ edt.Args) {
			for what, g := range map[string]guid.GUID{
				"template": c.TemplateGUID(c.NewTemplate("some", 0, 0, body(nothing))),
				"range":    c.NewRange(3, guid.KindEvent),
			} {
				if u, err := uuid.Parse(g.String()); err != nil || u.Variant() != uuid.RFC4122 {
					tr.Errorf("%s %v: %v, variant %v", what, g, err, u.Variant())
				}
			}
		})
	})
}
