MODULE OO1;

IMPORT IntRefBPlusTree, Word;

CONST
  NearShare = 90;  (* percentage of connections that lead to the nearest parts: *)
  NearParts = Parts DIV 100;

(* ---- Random numbers *)

VAR state: Word.T := 1;

PROCEDURE Draw(n: CARDINAL): CARDINAL =
  BEGIN
    state := Word.Plus(Word.Times(state, 6364136223846793005), 1442695040888963407);
    RETURN Word.RightShift(state, 33) MOD n;
  END Draw;

VAR seen: INTEGER;  (* the sum of the values that the operation met *)

(* ---- Building *)

PROCEDURE Type(n: CARDINAL): ShortText =
  VAR type := ShortText{'t', 'y', 'p', 'e', '\000', ..};
  BEGIN
    type[4] := VAL(ORD('0') + n, CHAR);
    RETURN type;
  END Type;

PROCEDURE NewPart(db: Database) =
  VAR part := NEW(Part, id := db.parts, x := Draw(100000), y := Draw(100000),
                  buildDate := Draw(10 * 365), type := Type(Draw(10)));
  BEGIN
    EVAL db.byId.put(part.id, part);
    INC(db.parts);
  END NewPart;

PROCEDURE Target(db: Database; id: CARDINAL): CARDINAL =
  VAR first: CARDINAL;
  BEGIN
    IF Draw(100) >= NearShare THEN RETURN Draw(db.parts) END;
    first := MIN(MAX(id - NearParts DIV 2, 0), db.parts - NearParts);
    RETURN first + Draw(NearParts);
  END Target;

PROCEDURE Find(db: Database; id: CARDINAL): Part =
  VAR part: REFANY;  found := db.byId.get(id, part);
  BEGIN
    <*ASSERT found*>
    RETURN part;
  END Find;

PROCEDURE Connect(db: Database; part: Part) =
  VAR to: Part;
  BEGIN
    FOR i := 0 TO Connections - 1 DO
      to := Find(db, Target(db, part.id));
      part.to[i] := NEW(Connection, length := Draw(1000), type := Type(Draw(10)), from := part,
                        to := to, nextFrom := to.from);
      to.from := part.to[i];
      INC(seen, to.id);
    END;
  END Connect;

PROCEDURE MakeParts(db: Database; n: CARDINAL) =
  VAR first := db.parts;
  BEGIN
    FOR i := 1 TO n DO NewPart(db) END;
    FOR id := first TO db.parts - 1 DO Connect(db, Find(db, id)) END;
  END MakeParts;

PROCEDURE Build(): Database =
  VAR db := NEW(Database, parts := 0, byId := NEW(IntRefBPlusTree.T).init());
  BEGIN
    state := 1;
    MakeParts(db, Parts);
    RETURN db;
  END Build;

(* ---- Operations *)

(* Stands for the procedure of the program that uses the parts. *)
PROCEDURE Use(x, y: Int32; READONLY type: ShortText) =
  BEGIN
    INC(seen, x + y + ORD(type[4]));
  END Use;

PROCEDURE Lookup(db: Database; seed: CARDINAL): INTEGER =
  BEGIN
    state := seed;
    seen := 0;
    FOR i := 1 TO Lookups DO
      WITH part = Find(db, Draw(Parts)) DO Use(part.x, part.y, part.type) END;
    END;
    RETURN seen;
  END Lookup;

PROCEDURE Visit(part: Part; hops: CARDINAL) =
  BEGIN
    Use(part.x, part.y, part.type);
    IF hops > 0 THEN
      FOR i := 0 TO Connections - 1 DO Visit(part.to[i].to, hops - 1) END;
    END;
  END Visit;

PROCEDURE Traverse(db: Database; seed: CARDINAL): INTEGER =
  BEGIN
    state := seed;
    seen := 0;
    Visit(Find(db, Draw(Parts)), Hops);
    RETURN seen;
  END Traverse;

PROCEDURE Insert(db: Database; seed: CARDINAL): INTEGER =
  BEGIN
    state := seed;
    seen := 0;
    MakeParts(db, Insertions);
    RETURN seen;
  END Insert;

BEGIN
END OO1.
