// Package local is what the ranks of one machine have in common, whoever has started them: memory that all have mapped,
// and connections on which a rank says that it ends, or that another is gone. A connection that ends without that is a
// process which has ended as it should not.
package local
