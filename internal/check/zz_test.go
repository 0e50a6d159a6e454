package check_test
import ("testing";"context";"errors";"time";"fmt";"ocr/internal/graphtest";"ocr/runtime";"os";"strconv")
func TestZZ(t *testing.T){
 kinds := map[string]int{}
 n,_ := strconv.Atoi(os.Getenv("ZZN")); 
 und := 0
 for seed:=range uint64(n) {
  for _, w := range []int{1,2,3,8} {
   p := graphtest.Generate(seed, 40)
   x := p.NewExecution()
   var r runtime.Report
   ctx, cancel := context.WithTimeout(t.Context(), 30*time.Second)
   err := runtime.Run(ctx, x.Main, runtime.Workers(w), runtime.Check(), runtime.Blocking(20*time.Second), runtime.Into(&r), runtime.LeakReport())
   cancel()
   und += len(r.Warnings)
   var ce *runtime.CheckError
   if errors.As(err,&ce) {
     for _, f := range ce.Findings { k:=fmt.Sprint(f.Kind,f.Site); if kinds[k]==0 { t.Logf("seed %d workers %d: %v",seed,w,f) }; kinds[k]++ }
     err = ce.Cause
   }
   for _, f := range r.Findings { if f.Note { kinds["note "+f.Kind.String()]++ } }
   if err!=nil { t.Errorf("seed %d workers %d: %v",seed,w,err); continue }
   if d:=x.Compare(r.Counters.Counters,p.Expect()); d!="" { t.Errorf("seed %d workers %d: %v",seed,w,d) }
  }
 }
 t.Log(kinds, und)
}
