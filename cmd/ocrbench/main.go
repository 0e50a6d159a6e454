// Ocrbench runs, verifies, measures and explains the apps of the task-graph runtime. See ocrbench help.
package main

import "ocr/harness"

func main() { harness.Main(apps...) }

// apps are the apps of this build, in the order of the lists.
var apps = append([]harness.Command{synchP2PApp, c2cApp, pgasApp, overheadApp, taskbenchApp, metgApp, helloApp},
	galleryApps...)
