// Ocrbench runs, verifies, measures and explains the apps of the task-graph runtime. See ocrbench help.
package main

import (
	"strings"

	"ocr/harness"
)

func main() { harness.Main(apps...) }

// apps are the apps of this build, in the order in which they are listed.
var apps = append([]harness.Command{synchP2PApp, c2cApp, pgasApp, overheadApp, taskbenchApp, metgApp, helloApp},
	galleryApps...)

func list(words []string) string { return strings.Join(words, ", ") }

// Why --schedule, which runs one EDT at a time, does not fit some commands.
const (
	whyNotScheduled = "its EDTs wait for each other while they run, and a schedule runs them one at a time"
	whyNotTimed     = "it only measures times, which mean nothing under a schedule"
)
