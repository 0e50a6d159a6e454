// Package ids implements GUIDs: the layout of their words, the words that a run uses
// ([Space]), and the tables that hold the objects. Package guid is what programs see
// of them.
//
// A [Table] holds the records of one kind of object in chunks. The low word of a GUID
// is the place of the record in its table and the record's generation, so looking an
// object up is an index and a compare. Each worker takes records from a [Cache] and
// puts them back there.
package ids
