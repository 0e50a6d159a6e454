package archtest

import (
	"go/ast"
	"go/token"
	"path/filepath"
	"strings"
	"testing"

	gopackages "golang.org/x/tools/go/packages"
)

// TestSeamForRanks: what package edt does over several ranks is in away.go and in files that begin with away_. The
// other files name nothing that is declared in those that begin with away_, and nothing of internal/rank.
func TestSeamForRanks(t *testing.T) {
	const typed = gopackages.NeedName | gopackages.NeedSyntax | gopackages.NeedTypes | gopackages.NeedTypesInfo |
		gopackages.NeedFiles
	all, err := gopackages.Load(&gopackages.Config{Mode: typed | gopackages.NeedImports}, "ocr/edt")
	if err != nil || len(all) != 1 || len(all[0].Errors) > 0 {
		t.Fatalf("%v, error %v", all, err)
	}
	edt, seam := all[0], 0
	file := func(at token.Pos) string { return filepath.Base(edt.Fset.Position(at).Filename) }
	for _, f := range edt.Syntax {
		in := file(f.Pos())
		if strings.HasPrefix(in, "away_") {
			continue
		}
		ast.Inspect(f, func(n ast.Node) bool {
			id, ok := n.(*ast.Ident)
			if !ok {
				return true
			}
			used := edt.TypesInfo.Uses[id]
			switch {
			case used == nil || used.Pkg() == nil:
			case used.Pkg().Path() == "ocr/internal/rank", used.Pkg() == edt.Types &&
				strings.HasPrefix(file(used.Pos()), "away_"):
				if in == "away.go" {
					seam++
				} else {
					t.Errorf("%v: %s is for ranks only; call a function of away.go", edt.Fset.Position(id.Pos()), id.Name)
				}
			}
			return true
		})
	}
	if seam == 0 {
		t.Error("away.go names nothing of ranks: the check does not see what it is for")
	}
}
