package sys

import (
	"testing"
	"testing/fstest"
)

func TestTotalMemory(t *testing.T) {
	if got := TotalMemory(); got < 16<<20 || got > 1<<52 {
		t.Errorf("TotalMemory() = %d bytes, want what a machine has", got)
	}
}

func TestCgroupLimit(t *testing.T) {
	tests := []struct {
		name  string
		files map[string]string
		want  uint64
		ok    bool
	}{
		{name: "no cgroup file"},
		{name: "version 2, no limit", files: map[string]string{
			"proc/self/cgroup":                        "0::/user.slice/app\n",
			"sys/fs/cgroup/user.slice/app/memory.max": "max\n",
		}},
		{name: "version 2, smallest ancestor wins", want: 1 << 30, ok: true, files: map[string]string{
			"proc/self/cgroup":                        "0::/user.slice/app\n",
			"sys/fs/cgroup/user.slice/app/memory.max": "4294967296\n",
			"sys/fs/cgroup/user.slice/memory.max":     "1073741824\n",
			"sys/fs/cgroup/memory.max":                "max\n",
		}},
		{name: "version 2 in a container without the host's path", want: 512 << 20, ok: true, files: map[string]string{
			"proc/self/cgroup":         "0::/docker/0123abcd\n",
			"sys/fs/cgroup/memory.max": "536870912\n",
		}},
		{name: "version 2, outside its own namespace", want: 512 << 20, ok: true, files: map[string]string{
			"proc/self/cgroup":         "0::/../sibling\n",
			"sys/fs/cgroup/memory.max": "536870912\n",
		}},
		{name: "version 1, own group", want: 2 << 30, ok: true, files: map[string]string{
			"proc/self/cgroup": "9:name=systemd:/\n4:memory:/batch/job1\n3:cpuset:/\n0::/\n",
			"sys/fs/cgroup/memory/batch/job1/memory.limit_in_bytes": "2147483648\n",
			"sys/fs/cgroup/memory/batch/memory.limit_in_bytes":      "9223372036854771712\n",
			"sys/fs/cgroup/memory/memory.limit_in_bytes":            "9223372036854771712\n",
		}},
		{name: "version 1, joint hierarchy", want: 3 << 30, ok: true, files: map[string]string{
			"proc/self/cgroup": "4:cpu,memory:/a:b\n",
			"sys/fs/cgroup/cpu,memory/a:b/memory.limit_in_bytes": "3221225472\n",
		}},
		{name: "garbage", files: map[string]string{
			"proc/self/cgroup":         "nonsense\n0::/\n",
			"sys/fs/cgroup/memory.max": "-5 bytes\n",
		}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			root := fstest.MapFS{}
			for name, text := range tt.files {
				root[name] = &fstest.MapFile{Data: []byte(text)}
			}
			if got, ok := cgroupLimit(root); got != tt.want || ok != tt.ok {
				t.Errorf("cgroupLimit = %d, %v, want %d, %v", got, ok, tt.want, tt.ok)
			}
		})
	}
}
