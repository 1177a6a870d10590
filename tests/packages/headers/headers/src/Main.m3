UNSAFE MODULE Main;
IMPORT CStuff, Ctypes, M3toC, IO, Fmt, Packet, Hdr, Cstdlib, Cstring, Unix, Uerror, Utime, Cerrno, RTMisc, Word, Uprocess, Ustat, Uugid, RTCollector, WeakRef, RTAllocator, RTType, RTArgs;
FROM Ctypes IMPORT int, int_star, char_star;
VAR s: CStuff.stuff_t; p: CStuff.stuff_star; a := ARRAY [0..4] OF int {5, 3, 4, 1, 2};
PROCEDURE Cmp(x, y: ADDRESS): int =
  VAR i := LOOPHOLE(x, int_star)^; j := LOOPHOLE(y, int_star)^;
  BEGIN RETURN i - j END Cmp;
PROCEDURE Cleanup(<*UNUSED*> READONLY w: WeakRef.T; <*UNUSED*> r: REFANY) = BEGIN IO.Put("") END Cleanup;
VAR pk: Packet.T; st: Ustat.struct_stat; name: char_star; q: ADDRESS; buf: ARRAY [0..31] OF CHAR; tv: Utime.struct_timeval; tz: Utime.struct_timezone;
    fds: ARRAY [0..1] OF Ctypes.int; 
BEGIN
  IO.PutInt(CStuff.stuff_fill(s, 21)); IO.Put(" " & Fmt.Int(s.a) & Fmt.Char(VAL(s.b, CHAR)) & Fmt.Int(s.c) & Fmt.LongReal(s.d) & Fmt.Int(s.bits, 16) & "\n");
  p := NEW(CStuff.stuff_star);
  EVAL CStuff.Fill(p, 3);
  IO.Put(Fmt.Int(p^.a) & "\n");
  s := CStuff.Make(9);
  IO.Put(Fmt.LongReal(CStuff.Sum(s, 1.0)) & "\n");
  DISPOSE(p);
  IO.Put(M3toC.CopyStoT(CStuff.Name()) & Fmt.Int(CStuff.counter) & "\n");
  CStuff.counter := 43;
  CStuff.Sort(ADR(a[0]), NUMBER(a), BYTESIZE(a[0]), Cmp);
  FOR i := FIRST(a) TO LAST(a) DO IO.PutInt(a[i]) END;
  IO.Put("\n");
  pk := Packet.FromText("hello world");
  IO.Put(Fmt.Unsigned(pk.crc()) & " " & Hdr.Show(pk.hdr) & "\n");
  <*ASSERT Hdr.Checksum(pk.hdr) = 0*>
  name := M3toC.CopyTtoS("/tmp");
  IF Ustat.stat(name, ADR(st)) = 0 THEN IO.Put(Fmt.Bool(Word.And(st.st_mode, Ustat.S_IFMT) = Ustat.S_IFDIR) & "\n") END;
  M3toC.FreeCopiedS(name);
  q := Cstdlib.malloc(100);
  EVAL Cstring.memset(q, ORD('a'), 10);
  LOOPHOLE(q + 10, UNTRACED REF CHAR)^ := '\000';
  IO.Put(M3toC.StoT(LOOPHOLE(q, char_star)) & Fmt.Int(Cstring.strlen(q)) & "\n");
  Cstdlib.free(q);
  EVAL Cstring.memcpy(ADR(buf[0]), ADR(a), 4);
  RTMisc.Copy(ADR(a), ADR(buf), 8); RTMisc.Zero(ADR(buf), BYTESIZE(buf));
  IO.Put(Fmt.Int(ORD(buf[0])) & "\n");
  EVAL Utime.gettimeofday(tv, tz);
  <*ASSERT tv.tv_sec > 1000*>
  IF Unix.pipe(fds) = 0 THEN EVAL Unix.close(fds[0]); EVAL Unix.close(fds[1]) END;
  name := M3toC.SharedTtoS("/nonexistent/x");
  IF Unix.open(name, Unix.O_RDONLY, 8_0644) < 0 THEN IO.Put(Fmt.Bool(Cerrno.GetErrno() = Uerror.ENOENT) & "\n") END;
  M3toC.FreeSharedS("/nonexistent/x", name);
  <*ASSERT Uprocess.getpid() > 0 AND Uugid.getuid() >= 0*>
  VAR r: REFANY := NEW(REF ARRAY OF INTEGER, 1000); w := WeakRef.FromRef(r, Cleanup); tc := TYPECODE(r); BEGIN
    IO.Put(Fmt.Bool(WeakRef.ToRef(w) = r) & Fmt.Bool(RTType.MaxTypecode() >= tc) & "\n");
    RTCollector.Disable(); RTCollector.Enable(); RTCollector.Collect();
    r := RTAllocator.NewTraced(TYPECODE(Packet.T));
    IO.Put(Fmt.Bool(ISTYPE(r, Packet.T)) & "\n");
    TYPECASE r OF NULL => | Packet.T(t) => IO.Put(Fmt.Bool(t.data = NIL) & "\n") ELSE END;
  END;
  IO.Put(Fmt.Int(RTArgs.ArgC()) & "\n");
  
END Main.
