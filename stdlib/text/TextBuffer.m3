UNSAFE MODULE TextBuffer;

IMPORT RTMemory, RTReport, TextClass;

REVEAL
  T = Public BRANDED "TextBuffer.T" OBJECT
      (* The run time knows these fields (RTMemory.Append).

         The first 8 bytes are the number of used characters; these follow, and then spare room.
         Several texts may share the array. Used characters are never written again, so texts do
         not change. The spare room belongs to the text that ends where it begins. *)
      room: REF ARRAY OF CHAR;
      length: CARDINAL;
    OVERRIDES
      get_info := GetInfo;
      get_char := GetChar;
    END;

CONST
  Count = 8;  (* bytes of the count *)
  MinCapacity = 256;
  MaxCapacity = 16_20000000;

TYPE
  CountRef = UNTRACED REF INTEGER;

PROCEDURE Make(capacity: CARDINAL; chars: ADDRESS; n: CARDINAL; more: ADDRESS; m: CARDINAL): TEXT =
  VAR room := NEW(REF ARRAY OF CHAR, Count + capacity);  first := ADR(room[0]);
  BEGIN
    LOOPHOLE(first, CountRef)^ := n + m;
    RTMemory.Move(first + Count, chars, n);
    RTMemory.Move(first + (Count + n), more, m);
    RETURN NEW(T, room := room, length := n + m);
  END Make;

PROCEDURE New(chars: ADDRESS; n: CARDINAL; more: ADDRESS; m: CARDINAL): TEXT =
  BEGIN
    RETURN Make(MAX(MinCapacity, 2 * (n + m)), chars, n, more, m);
  END New;

PROCEDURE Append(t: T; more: ADDRESS; m: CARDINAL): TEXT =
  VAR longer := RTMemory.Append(t, more, m);  room: REF ARRAY OF CHAR;  n, capacity: CARDINAL;
  BEGIN
    IF longer # NIL THEN RETURN longer END;
    room := t.room;
    n := t.length;
    capacity := NUMBER(room^) - Count;
    IF m <= capacity - n THEN RETURN NIL END;
    (* Only once for this array: otherwise repeated appending to one long text would copy it each
       time. *)
    IF n + m > MaxCapacity DIV 2 OR NOT RTMemory.Extend(room, n, more, capacity - n + 1) THEN
      RETURN NIL;
    END;
    RETURN Make(2 * (n + m), ADR(room[Count]), n, more, m);
  END Append;

PROCEDURE GetInfo(t: T; VAR i: TextClass.Info) =
  BEGIN
    i.start := ADR(t.room[Count]);
    i.length := t.length;
    i.wide := FALSE;
  END GetInfo;

PROCEDURE GetChar(t: T; i: CARDINAL): CHAR =
  BEGIN
    IF i >= t.length THEN RTReport.RaiseSubscript(i, t.length) END;
    RETURN t.room[Count + i];
  END GetChar;

BEGIN
END TextBuffer.
