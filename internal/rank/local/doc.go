// Package local is for ranks on one machine, started by package job or by mpirun: memory that all of them have mapped,
// and connections on which a rank reports that it ends, or that another is lost. If a connection ends without such a
// line, the process at its other end has failed.
package local
