package machine

import (
	"fmt"
	"math"
	"path/filepath"
	goruntime "runtime"
	"runtime/debug"
	"runtime/metrics"
)

// ReadBuild returns how the running program was built. Version and commit are
// "unknown" if the build recorded none, as with -buildvcs=false.
func ReadBuild() Build {
	info, _ := debug.ReadBuildInfo()
	b := fromInfo(info)
	b.GOMAXPROCS = goruntime.GOMAXPROCS(0)
	b.GOGC = gogc()
	return b
}

func fromInfo(info *debug.BuildInfo) Build {
	b := Build{Version: Unknown, Commit: Unknown, Go: goruntime.Version(), GOOS: goruntime.GOOS, GOARCH: goruntime.GOARCH}
	if info == nil {
		return b
	}
	if info.Main.Version != "" {
		b.Version = info.Main.Version
	}
	for _, s := range info.Settings {
		switch s.Key {
		case "vcs.revision":
			b.Commit = s.Value
		case "vcs.modified":
			b.Dirty = s.Value == "true"
		case "-pgo":
			b.PGO = filepath.Base(s.Value)
		}
	}
	return b
}

// Line is the build of a program in one line.
func (b Build) Line(program string) string {
	commit := ""
	if b.Commit != Unknown {
		commit = ", commit " + b.Commit
	}
	if b.Dirty {
		commit += " (dirty)"
	}
	return fmt.Sprintf("%s %s%s, %s, %s/%s", program, b.Version, commit, b.Go, b.GOOS, b.GOARCH)
}

// gogc returns garbage collection's target. It does not set the target and set it back, which would stop the world.
func gogc() int {
	sample := []metrics.Sample{{Name: "/gc/gogc:percent"}}
	metrics.Read(sample)
	if sample[0].Value.Kind() != metrics.KindUint64 || sample[0].Value.Uint64() > math.MaxInt32 {
		return -1
	}
	return int(sample[0].Value.Uint64())
}
