package mpi

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"ocr/internal/proof/testrun"
)

// The first mpirun in $PATH must be Open MPI's.
func TestFindMpirun(t *testing.T) {
	const shell = "#!/bin/sh\n"
	for name, tc := range map[string]struct{ script, want string }{
		"Open MPI":         {shell + "echo 'mpirun (Open MPI) 5.0.1'", ""},
		"another MPI":      {shell + "echo HYDRA build", `is not Open MPI's: --version says "HYDRA build"`},
		"one that fails":   {shell + "exit 7", `says "exit status 7"; apt-get install openmpi-bin`},
		"nothing":          {"", "executable file not found in $PATH: apt-get install openmpi-bin"},
		"no program of it": {"no program", "exec format error"},
	} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			t.Setenv("PATH", dir)
			mpirun := filepath.Join(dir, "mpirun")
			if tc.script != "" {
				testrun.OK(t, os.WriteFile(mpirun, []byte(tc.script), 0o700))
			}
			path, err := FindMpirun()
			switch {
			case tc.want == "" && (err != nil || path != mpirun):
				t.Errorf("%s, error %v", path, err)
			case tc.want != "" && (err == nil || !strings.Contains(err.Error(), tc.want)):
				t.Errorf("error %v, want %s", err, tc.want)
			}
		})
	}
}

func TestReadLaunch(t *testing.T) {
	for name, tc := range map[string]struct {
		environment map[string]string
		want        *launch
	}{
		"alone":    {nil, nil},
		"one rank": {map[string]string{"OMPI_COMM_WORLD_RANK": "0", "OMPI_COMM_WORLD_SIZE": "1"}, &launch{0, 1, 0, 1, false}},
		"mpirun": {map[string]string{
			"OMPI_COMM_WORLD_RANK": "3", "OMPI_COMM_WORLD_SIZE": "4", "OMPI_COMM_WORLD_LOCAL_RANK": "1",
			"OMPI_COMM_WORLD_LOCAL_SIZE": "2", "OMPI_MCA_orte_bound_at_launch": "1",
		}, &launch{3, 4, 1, 2, true}},
		"srun": {map[string]string{"PMIX_RANK": "1", "SLURM_NTASKS": "4", "SLURM_LOCALID": "1",
			"SLURM_STEP_TASKS_PER_NODE": "2(x2)"}, &launch{1, 4, 1, 2, false}},
		"more on the last": {map[string]string{
			"PMIX_RANK": "5", "SLURM_NTASKS": "6", "SLURM_LOCALID": "2", "SLURM_NODEID": "3",
			"SLURM_STEP_TASKS_PER_NODE": "1(x3),3",
		}, &launch{5, 6, 2, 3, false}},
		"fewer on the last": {map[string]string{
			"PMIX_RANK": "3", "SLURM_NTASKS": "4", "SLURM_LOCALID": "0", "SLURM_NODEID": "1", "SLURM_STEP_TASKS_PER_NODE": "3,1",
		}, &launch{3, 4, 0, 1, false}},
		"no node": {map[string]string{"PMIX_RANK": "3", "SLURM_NTASKS": "4", "SLURM_LOCALID": "2",
			"SLURM_STEP_TASKS_PER_NODE": "1,3"}, &launch{3, 4, 2, 3, false}},
		"no number": {map[string]string{"OMPI_COMM_WORLD_RANK": "x", "OMPI_COMM_WORLD_SIZE": "4"}, nil},
	} {
		got := readLaunch(func(key string) string { return tc.environment[key] })
		if (got == nil) != (tc.want == nil) || got != nil && *got != *tc.want {
			t.Errorf("%s: %+v, want %+v", name, got, tc.want)
		}
	}
}
