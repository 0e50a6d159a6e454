// Package guid names the objects of an OCR program.
//
// A [GUID] is sixteen bytes: as text a version 8 UUID, in registers two words. The high word has the object's run, its
// [Kind] and its home, a rank; the low word has the position of the object's record in a table of its home, and the
// record's generation. So a look-up takes an index and a compare, and recognises a GUID that has outlived its object:
// the record has another generation.
//
// For people there is a short form, the end of the text: see [GUID.Short]. Errors, reports and snapshots print it;
// printed with %+v, or as JSON, they have the whole text.
//
// A GUID may be copied freely, kept in a data block, compared with == and ordered with [GUID.Compare]. It stays unique
// for as long as its run lasts, not only as long as its object: a record without generations left is not used again.
package guid
