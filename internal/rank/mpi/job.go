package mpi

import "ocr/internal/rank"

// A Job is this process's part of a job that mpirun or srun has started.
type Job struct {
	Engine rank.Engine
	end    func() // ends MPI in this process
}

// Close ends this rank's part, and MPI: it waits until the other ranks close too.
func (j *Job) Close() {
	j.Engine.Close()
	j.end()
}
