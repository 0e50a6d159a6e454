// Package nqueens counts the ways in which n queens can stand on a board so that none attacks another: a tree of EDTs
// whose shape is found while it runs, and a sum over its leaves by package par.
package nqueens
