// Package ids has the insides of GUIDs: how their words are laid out, which words a
// run uses ([Space]), and the tables that objects live in. Package guid has what
// programs see of them.
//
// A [Table] holds the records of one kind of object in chunks. The low word of a GUID
// is the place of the record in its table and the record's generation, so looking an
// object up is an index and a compare. Each worker takes records from a [Cache] and
// puts them back there.
package ids
