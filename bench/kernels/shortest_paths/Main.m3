(* Shortest paths in a random graph, by a heap of vertices. Usage: Main N, the number of sources. *)
MODULE Main;

IMPORT Fmt, IO, Params, Scan, Word;

<*FATAL ANY*>

CONST
  Vertices = 20000;
  Degree = 8;
  Far = LAST(INTEGER) DIV 2;

TYPE
  Edge = RECORD to: CARDINAL; length: INTEGER END;
  Entry = RECORD distance: INTEGER; vertex: CARDINAL END;

VAR
  edges := NEW(REF ARRAY OF Edge, Vertices * Degree);
  distance := NEW(REF ARRAY OF INTEGER, Vertices);
  heap := NEW(REF ARRAY OF Entry, Vertices * Degree + 1);
  count: CARDINAL;
  state: Word.T := 1;

PROCEDURE Next(n: CARDINAL): CARDINAL =
  BEGIN
    state := Word.Plus(Word.Times(state, 6364136223846793005), 1442695040888963407);
    RETURN Word.RightShift(state, 33) MOD n;
  END Next;

PROCEDURE Push(d: INTEGER; v: CARDINAL) =
  VAR i := count;  parent: CARDINAL;
  BEGIN
    INC(count);
    WHILE i > 0 DO
      parent := (i - 1) DIV 2;
      IF heap[parent].distance <= d THEN EXIT END;
      heap[i] := heap[parent];
      i := parent;
    END;
    heap[i] := Entry{d, v};
  END Push;

PROCEDURE Pop(): Entry =
  VAR top := heap[0];  last := heap[count - 1];  i: CARDINAL := 0;  child: CARDINAL;
  BEGIN
    DEC(count);
    LOOP
      child := 2 * i + 1;
      IF child >= count THEN EXIT END;
      IF child + 1 < count AND heap[child + 1].distance < heap[child].distance THEN INC(child) END;
      IF heap[child].distance >= last.distance THEN EXIT END;
      heap[i] := heap[child];
      i := child;
    END;
    heap[i] := last;
    RETURN top;
  END Pop;

PROCEDURE From(source: CARDINAL): INTEGER =
  VAR entry: Entry;  d: INTEGER;  sum := 0;
  BEGIN
    FOR v := 0 TO Vertices - 1 DO distance[v] := Far END;
    distance[source] := 0;
    count := 0;
    Push(0, source);
    WHILE count > 0 DO
      entry := Pop();
      IF entry.distance = distance[entry.vertex] THEN
        FOR i := entry.vertex * Degree TO entry.vertex * Degree + Degree - 1 DO
          WITH edge = edges[i] DO
            d := entry.distance + edge.length;
            IF d < distance[edge.to] THEN
              distance[edge.to] := d;
              Push(d, edge.to);
            END;
          END;
        END;
      END;
    END;
    FOR v := 0 TO Vertices - 1 DO
      IF distance[v] < Far THEN INC(sum, distance[v]) END;
    END;
    RETURN sum;
  END From;

VAR sum := 0;
BEGIN
  FOR i := 0 TO LAST(edges^) DO edges[i] := Edge{Next(Vertices), 1 + Next(1000)} END;
  FOR i := 1 TO Scan.Int(Params.Get(1)) DO INC(sum, From(i * 37 MOD Vertices)) END;
  IO.Put(Fmt.Int(sum) & "\n");
END Main.
