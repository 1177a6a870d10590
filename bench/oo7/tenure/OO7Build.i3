(* Makes the objects of OO7, and changes their structure. *)
INTERFACE OO7Build;

IMPORT OO7;

CONST
  InsertedParts = 5;  (* composite parts that one insertion makes *)
  InsertedUses = 10;  (* number of base assemblies that get one of them *)

(* The whole database, the same in every run. *)
PROCEDURE Build(READONLY configuration: OO7.Configuration): OO7.Library;

(* Makes composite parts and puts each into some random base assemblies of m; returns the number
   of parts made. *)
PROCEDURE Insert(library: OO7.Library; m: OO7.Module): INTEGER;

(* Removes the composite parts that were inserted last; returns the number removed, 0 if none are
   left. *)
PROCEDURE Delete(library: OO7.Library; m: OO7.Module): INTEGER;

END OO7Build.
