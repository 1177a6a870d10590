(* The queries of OO7 (White & DeWitt 1995, 5.2.2), each by the indexes it is meant for. *)
INTERFACE OO7Queries;

IMPORT OO7;

(* Q1: ten random atomic parts by id; returns the number found. *)
PROCEDURE RandomParts(library: OO7.Library): INTEGER;

(* Q2 and Q3: the atomic parts with the most recent dates of the given share, in percent of the
   range of dates; returns their number. *)
PROCEDURE RecentParts(library: OO7.Library; percent: CARDINAL): INTEGER;

(* Q4: ten random documents by title, and the base assemblies that use their parts; returns the
   number of these assemblies. *)
PROCEDURE UsersOfDocuments(library: OO7.Library): INTEGER;

(* Q5: the number of base assemblies that use a composite part younger than themselves. *)
PROCEDURE OutOfDate(m: OO7.Module): INTEGER;

(* Q7: all atomic parts, by id; returns their number. *)
PROCEDURE AllParts(library: OO7.Library): INTEGER;

(* Q8: pairs of a document and an atomic part with the same document id; returns their number. *)
PROCEDURE Join(library: OO7.Library): INTEGER;

(* A sum of the values that the queries read in the parts, so that the compiler cannot remove the
   reads. *)
PROCEDURE Seen(): INTEGER;

END OO7Queries.
