package mpi

import "ocr/internal/rank"

// A Job is this process's part of a job that mpirun or srun has started.
type Job struct {
	Engine rank.Engine
	Name   string // "ring" if all ranks share this machine's memory, else "mpi"
	end    func() error
	finish func() // MPI in this process
}

// Close ends this rank's part, and MPI, for which it waits for the other ranks to close. If a rank was lost it returns
// that error.
func (j *Job) Close() error {
	if err := j.end(); err != nil {
		return err
	}
	j.finish()
	return nil
}
