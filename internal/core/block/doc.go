// Package block implements data blocks: their memory, and which EDTs hold them in which modes. Programs see blocks
// through package datablock; package edt creates, acquires and releases them for EDTs.
//
// A [Store] holds the blocks of a run; a [Local] is one worker's part of it. The state word of a [Record] counts the
// holders of the block. An EDT that cannot acquire the block yet waits in the record's queue. Free memory is in the
// magazines of the workers and in the spans of the arena.
package block
