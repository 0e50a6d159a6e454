package edt_test

import (
	"testing"

	"github.com/google/uuid"

	"ocr/edt"
	"ocr/guid"
)

// The names of templates and ranges are UUIDs like those of all other objects.
func TestTemplateGUIDIsAUUID(t *testing.T) {
	everywhere(t, program(func(tr *trial, c *edt.Ctx) {
		for what, g := range map[string]guid.GUID{
			"template": c.TemplateGUID(c.NewTemplate("some", 0, 0, body(nothing))),
			"range":    c.NewRange(3, guid.KindEvent),
		} {
			if u, err := uuid.Parse(g.String()); err != nil || u.Variant() != uuid.RFC4122 {
				tr.Errorf("%s %v: %v, variant %v", what, g, err, u.Variant())
			}
		}
	}))
}
