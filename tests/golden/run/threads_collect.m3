(* golden: run, -w *)
(* Threads change a shared old structure while another one collects all the time. *)
UNSAFE MODULE Main;
IMPORT IO, Thread, RTCollector, RTSystem, Fmt;


CONST Workers = 3;  Slots = 500;

TYPE
  Cell = REF RECORD key, check: INTEGER; left, right: Cell := NIL END;
  Pair = RECORD a, b, c: Cell := NIL END;
  Shared = REF ARRAY OF Cell;
  Pairs = REF ARRAY OF Pair;
  Obj = OBJECT cell: Cell; pair: Pair; METHODS sum(): INTEGER := Sum END;
  Worker = Thread.Closure OBJECT id: INTEGER; shared: Shared; pairs: Pairs; objs: REF ARRAY OF Obj;
           OVERRIDES apply := Work END;
  Collector = Thread.Closure OBJECT OVERRIDES apply := Collect END;

EXCEPTION Odd(Cell);

VAR stop := FALSE; collections := 0;

PROCEDURE New(k: INTEGER): Cell =
  BEGIN RETURN NEW(Cell, key := k, check := k * 7 + 1) END New;

PROCEDURE Check(c: Cell) =
  BEGIN
    IF c # NIL THEN <*ASSERT c.check = c.key * 7 + 1*> END;
  END Check;

PROCEDURE Sum(o: Obj): INTEGER =
  BEGIN
    Check(o.cell); Check(o.pair.a); Check(o.pair.b); Check(o.pair.c);
    RETURN o.cell.key;
  END Sum;

PROCEDURE Tree(depth: INTEGER): Cell =
  BEGIN
    IF depth = 0 THEN RETURN New(depth) END;
    RETURN NEW(Cell, key := depth, check := depth * 7 + 1,
               left := Tree(depth - 1), right := Tree(depth - 1));
  END Tree;

PROCEDURE Count(c: Cell): INTEGER =
  BEGIN
    IF c = NIL THEN RETURN 0 END;
    Check(c);
    RETURN 1 + Count(c.left) + Count(c.right);
  END Count;

PROCEDURE Thrower(i: INTEGER; c: Cell) RAISES {Odd} =
  BEGIN
    IF i MOD 2 = 1 THEN RAISE Odd(c) END;
  END Thrower;

PROCEDURE Work(w: Worker): REFANY =
  VAR p: Pair; x, y: INTEGER; seed := w.id * 7919 + 13; o: Obj;
  PROCEDURE Next(n: INTEGER): INTEGER =
    BEGIN
      seed := (seed * 1103515245 + 12345) MOD 2147483648;
      RETURN (seed DIV 1024) MOD n;
    END Next;
  BEGIN
    WHILE NOT stop DO
      FOR i := 1 TO 2000 DO
        x := Next(Slots); y := Next(Slots);
        CASE Next(7) OF
        | 0 => w.shared[x] := New(i);
        | 1 => w.shared[x] := w.shared[y]; Check(w.shared[x]);
        | 2 => p := w.pairs[x]; Check(p.a); Check(p.b); Check(p.c);
               p.a := New(i); p.b := w.shared[y]; p.c := p.a;
               w.pairs[y] := p;
        | 3 => w.pairs[x] := w.pairs[y];
        | 4 => TRY Thrower(i, New(i)) EXCEPT Odd(c) => Check(c); w.shared[x] := c END;
        | 5 => o := NEW(Obj, cell := New(i), pair := w.pairs[y]);
               w.objs[x] := o;
               EVAL w.objs[y].sum();
        | 6 => w.objs[x].pair := w.pairs[y]; w.objs[y].cell := New(y); EVAL w.objs[x].sum();
        ELSE
        END;
      END;
      <*ASSERT Count(Tree(6)) = 127*>
      SUBARRAY(w.pairs^, 0, Slots DIV 2) := SUBARRAY(w.pairs^, Slots DIV 2, Slots DIV 2);
      SUBARRAY(w.shared^, 0, Slots - 1) := SUBARRAY(w.shared^, 1, Slots - 1);
      FOR i := 0 TO Slots - 1 DO Check(w.shared[i]) END;
    END;
    RETURN NIL;
  END Work;

PROCEDURE Collect(<*UNUSED*> c: Collector): REFANY =
  BEGIN
    FOR i := 1 TO 300 DO
      IF i MOD 5 = 0 THEN RTCollector.Collect() ELSE RTSystem.CollectYoung() END;
      INC(collections);
    END;
    stop := TRUE;
    RETURN NIL;
  END Collect;

VAR
  shared := NEW(Shared, Slots); pairs := NEW(Pairs, Slots);
  objs := NEW(REF ARRAY OF Obj, Slots);
  t: ARRAY [0..Workers] OF Thread.T;
BEGIN
  FOR i := 0 TO Slots - 1 DO objs[i] := NEW(Obj, cell := New(i)) END;
  RTCollector.Collect();
  FOR i := 1 TO Workers DO
    t[i] := Thread.Fork(NEW(Worker, id := i, shared := shared, pairs := pairs, objs := objs));
  END;
  t[0] := Thread.Fork(NEW(Collector));
  FOR i := 0 TO Workers DO EVAL Thread.Join(t[i]) END;
  IO.Put(Fmt.Int(collections) & " collections\n");
END Main.
(* expect: 300 collections *)
