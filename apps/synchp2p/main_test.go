package synchp2p

import (
	"os"
	"testing"
	"time"

	"go.uber.org/goleak"

	"ocr/apps/trial"
	"ocr/runtime"
)

// otherClock is the variable of the environment that has processes of other ranks read another clock, as on another
// machine.
const otherClock = "SYNCHP2P_TEST_OTHER_CLOCK"

func TestMain(m *testing.M) {
	if os.Getenv(otherClock) != "" {
		now = func() int64 { return trial.Now() + int64(time.Hour) }
	}
	runtime.ServeIfRank()
	goleak.VerifyTestMain(m)
}
