(* The queries of OO7 (White & DeWitt 1995, 5.2.2), each by the indexes it is meant for. *)
INTERFACE OO7Queries;

IMPORT OO7;

(* Q1: ten random atomic parts by id; how many were found. *)
PROCEDURE RandomParts(library: OO7.Library): INTEGER;

(* Q2 and Q3: the atomic parts with the most recent dates of the given share, in percent of the range
   of dates; how many. *)
PROCEDURE RecentParts(library: OO7.Library; percent: CARDINAL): INTEGER;

(* Q4: ten random documents by title, and the base assemblies that use their parts; how many of
   these. *)
PROCEDURE UsersOfDocuments(library: OO7.Library): INTEGER;

(* Q5: how many base assemblies use a composite part that is younger than they are. *)
PROCEDURE OutOfDate(m: OO7.Module): INTEGER;

(* Q7: all atomic parts, by id; how many. *)
PROCEDURE AllParts(library: OO7.Library): INTEGER;

(* Q8: pairs of a document and an atomic part with the same document id; how many. *)
PROCEDURE Join(library: OO7.Library): INTEGER;

(* What the queries saw in the parts, so that nobody can leave the looking out. *)
PROCEDURE Seen(): INTEGER;

END OO7Queries.
