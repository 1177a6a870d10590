(* golden: run, stress=50 *)
(* Texts that grow at their end share an array with the shorter text; no text ever changes,
   whatever is appended to it by any thread. *)
MODULE Main;

IMPORT Fmt, IO, Text, TextClass, Thread, Wr, TextWr;

<*FATAL ANY*>

CONST
  Steps = 600;

TYPE
  Worker = Thread.Closure OBJECT base: TEXT;  letter: CHAR OVERRIDES apply := Apply END;

(* Appends to a text that other threads append to at the same time. *)
PROCEDURE Apply(self: Worker): REFANY =
  VAR t := self.base;
  BEGIN
    FOR i := 1 TO Steps DO t := t & Text.FromChar(self.letter) END;
    RETURN t;
  END Apply;

PROCEDURE Repeated(part: TEXT; n: INTEGER): TEXT =
  VAR wr := TextWr.New();
  BEGIN
    FOR i := 1 TO n DO Wr.PutText(wr, part) END;
    RETURN TextWr.ToText(wr);
  END Repeated;

PROCEDURE Check(what: TEXT; good: BOOLEAN) =
  BEGIN
    IF NOT good THEN IO.Put(what & ": wrong\n") END;
  END Check;

PROCEDURE Flat(t: TEXT): BOOLEAN =
  VAR info: TextClass.Info;
  BEGIN
    t.get_info(info);
    RETURN info.start # NIL;
  END Flat;

VAR
  all: ARRAY [0..Steps] OF TEXT;
  a, b, c, d, base: TEXT;
  threads: ARRAY [0..3] OF Thread.T;
  text: TEXT;

BEGIN
  (* The text of each step does not change. *)
  all[0] := "";
  FOR i := 1 TO Steps DO all[i] := all[i - 1] & "word " END;
  FOR i := 0 TO Steps DO Check("step " & Fmt.Int(i), Text.Equal(all[i], Repeated("word ", i))) END;
  Check("flat", Flat(all[Steps]));
  Check("hash", Text.Hash(all[Steps]) = Text.Hash(Repeated("word ", Steps)));
  Check("character", Text.GetChar(all[Steps], 5 * Steps - 2) = 'd');
  Check("search", Text.FindChar(all[Steps], ' ', 2998) = 2999);
  Check("part", Text.Equal(Text.Sub(all[Steps], 2000, 10), "word word "));

  (* Two texts that grow from one; the first uses the spare room. *)
  a := all[100] & "one";
  b := all[100] & "two";
  c := all[Steps] & "one";
  d := all[Steps] & "two";
  Check("a", Text.Equal(a, Repeated("word ", 100) & "one"));
  Check("b", Text.Equal(b, Repeated("word ", 100) & "two"));
  Check("c", Text.Equal(c, Repeated("word ", Steps) & "one"));
  Check("d", Text.Equal(d, Repeated("word ", Steps) & "two"));
  a := c & c;
  b := c & "three" & d;
  Check("itself", Text.Equal(a, Repeated("word ", Steps) & "one" & Repeated("word ", Steps) & "one"));
  Check("both", Text.Equal(b, Repeated("word ", Steps) & "onethree" & Repeated("word ", Steps) & "two"));

  (* A wide text, an empty text, a long text. *)
  a := d & W"\004211" & "x";
  Check("wide", Text.Length(a) = 5 * Steps + 5 AND Text.GetWideChar(a, 5 * Steps + 3) = W'\004211');
  Check("empty", Text.Equal(d & "", d) AND Text.Equal("" & d, d));
  a := d & Repeated("long ", 100000) & "end";
  Check("long", Text.Length(a) = 5 * Steps + 3 + 500003 AND Text.Equal(Text.Sub(a, 503003), "end"));

  (* Threads that grow one text. *)
  base := all[200] & "base";
  FOR i := 0 TO 3 DO
    threads[i] := Thread.Fork(NEW(Worker, base := base, letter := VAL(ORD('a') + i, CHAR)));
  END;
  FOR i := 0 TO 3 DO
    text := Thread.Join(threads[i]);
    Check("thread", Text.Equal(text, Repeated("word ", 200) & "base"
                                       & Repeated(Text.FromChar(VAL(ORD('a') + i, CHAR)), Steps)));
  END;
  Check("base", Text.Equal(base, Repeated("word ", 200) & "base"));
  IO.Put("done\n");  (* expect: done *)
END Main.
