MODULE Parts;

IMPORT Fmt, IntRefBPlusTree, Word;

CONST
  NearShare = 90;  (* percentage of connections that lead to the nearest parts: *)
  NearParts = Count DIV 100;

(* ---- Random numbers, as lab/object_faults/parts.h draws them *)

VAR state: Word.T;

PROCEDURE StartRandom(seed: CARDINAL) =
  BEGIN
    state := Word.Plus(Word.Times(seed, 16_9e3779b97f4a7c15), 1);
  END StartRandom;

PROCEDURE Draw(n: CARDINAL): CARDINAL =
  BEGIN
    state := Word.Plus(Word.Times(state, 6364136223846793005), 1442695040888963407);
    RETURN Word.RightShift(state, 33) MOD n;
  END Draw;

(* ---- Building *)

PROCEDURE Target(id: CARDINAL): CARDINAL =
  VAR first: CARDINAL;
  BEGIN
    IF Draw(100) >= NearShare THEN RETURN Draw(Count) END;
    first := MIN(MAX(id - NearParts DIV 2, 0), Count - NearParts);
    RETURN first + Draw(NearParts);
  END Target;

PROCEDURE NewText(n: CARDINAL): TEXT =
  BEGIN
    RETURN "type" & Fmt.Int(n);
  END NewText;

PROCEDURE Build(): Library =
  VAR
    library := NEW(Library, byId := NEW(IntRefBPlusTree.T).init());
    all := NEW(REF ARRAY OF Part, Count);
    leads := NEW(REF ARRAY OF CARDINAL, Count);  (* how many parts lead to each *)
  BEGIN
    StartRandom(1);
    FOR id := 0 TO Count - 1 DO
      all[id] := NEW(Part, id := id);
      all[id].x := Draw(100000);
      all[id].y := Draw(100000);
      all[id].build := Draw(3650);
      leads[id] := 0;
    END;
    FOR id := 0 TO Count - 1 DO
      FOR i := 0 TO Connections - 1 DO
        WITH to = Target(id) DO
          all[id].to[i] := all[to];
          INC(leads[to]);
        END;
        all[id].lengths[i] := Draw(1000);
      END;
    END;
    FOR id := 0 TO Count - 1 DO
      all[id].type := NewText(Draw(10));
      FOR i := 0 TO Connections - 1 DO all[id].types[i] := NewText(Draw(10)) END;
      all[id].sources := NEW(REF ARRAY OF Part, leads[id]);
      leads[id] := 0;
    END;
    FOR id := 0 TO Count - 1 DO
      FOR i := 0 TO Connections - 1 DO
        WITH to = all[id].to[i] DO
          to.sources[leads[to.id]] := all[id];
          INC(leads[to.id]);
        END;
      END;
      EVAL library.byId.put(id, all[id]);
    END;
    RETURN library;
  END Build;

(* ---- Operations *)

VAR seen: INTEGER;

(* Stands for the procedure of the program that uses the parts. *)
PROCEDURE Use(part: Part) =
  BEGIN
    INC(seen, part.x + part.y);
  END Use;

PROCEDURE Visit(part: Part; hops: CARDINAL) =
  BEGIN
    part.use();
    IF hops > 0 THEN
      FOR i := 0 TO Connections - 1 DO part.to[i].visit(hops - 1) END;
    END;
  END Visit;

PROCEDURE Find(library: Library; id: CARDINAL): Part =
  VAR part: REFANY;  found := library.byId.get(id, part);
  BEGIN
    <*ASSERT found*>
    RETURN part;
  END Find;

PROCEDURE Begin(iteration: CARDINAL) =
  BEGIN
    StartRandom(1000 + iteration);
    seen := 0;
  END Begin;

PROCEDURE Lookup(library: Library; iteration: CARDINAL): INTEGER =
  BEGIN
    Begin(iteration);
    FOR i := 1 TO Lookups DO Find(library, Draw(Count)).use() END;
    RETURN seen;
  END Lookup;

PROCEDURE Traverse(library: Library; iteration: CARDINAL): INTEGER =
  BEGIN
    Begin(iteration);
    Find(library, Draw(Count)).visit(Hops);
    RETURN seen;
  END Traverse;

BEGIN
END Parts.
