// Package guid names the objects of an OCR program.
//
// A [GUID] is sixteen bytes: as text a version 8 UUID, in registers two words.
// The high word says which run the object belongs to, its [Kind] and the rank
// that is its home; the low word says in which place of that home the
// object lives and which generation of that place it is. Looking an object up
// is therefore an index and a compare, and a GUID that outlived its object is
// recognised: the place has moved on to another generation.
//
// For people there is a short form, the end of the text: see [GUID.Short]. Errors, reports and snapshots print that,
// and the whole text if they are printed with %+v, or as JSON.
//
// A GUID may be copied freely, kept in a data block, compared with == and
// ordered with [GUID.Less]. It stays unique for as long as its run lasts, not
// only for as long as its object does: a place whose generations are used up is
// retired.
package guid
