// Package ids implements GUIDs: the layout of their words, the words that a run uses ([Space]), and the tables of the
// objects. Programs see GUIDs through package guid.
//
// A [Table] holds the records of one kind of object in chunks. The low word of a GUID is the position of the record in
// its table, and the record's generation: so to look an object up takes an index and a compare. Each worker takes
// records from a [Cache] and returns them to it.
package ids
