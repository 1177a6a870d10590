(* "client ADDRESS AUTHORITIES LENGTH": sends LENGTH characters and their end, and answers with what came
   back, as its length and whether it is the same. "server CERTIFICATES KEY" prints an address, and
   answers each line of one connection by the same line. What failed is answered by what Tls says. *)
MODULE TlsWitness EXPORTS Main;

IMPORT Atom, Fmt, IO, Net, Params, Rd, Scan, Stdio, Text, Tls, Wr;

<*FATAL ANY*>

PROCEDURE Client() RAISES ANY =
  VAR c := Tls.Connect(Tls.NewClient(Params.Get(3)), Params.Get(2), 10.0D0);  text := "x";  got: TEXT;
  BEGIN
    WHILE Text.Length(text) < Scan.Int(Params.Get(4)) DO text := text & text END;
    Wr.PutText(c.wr, text);
    Wr.Close(c.wr);
    got := Rd.GetText(c.rd, LAST(CARDINAL));
    IO.Put(Fmt.Int(Text.Length(got)) & " " & Fmt.Bool(Text.Equal(got, text)) & "\n");
    c.close();
  END Client;

PROCEDURE Server() RAISES ANY =
  VAR l := Net.Listen("127.0.0.1:0");  c: Tls.T;
  BEGIN
    IO.Put(l.address() & "\n");
    Wr.Flush(Stdio.stdout);
    c := Tls.Accept(Tls.NewServer(Params.Get(2), Params.Get(3)), l.accept(10.0D0));
    TRY
      LOOP
        Wr.PutText(c.wr, Rd.GetLine(c.rd) & "\n");
        Wr.Flush(c.wr);
      END;
    EXCEPT
    | Rd.EndOfFile => Wr.Close(c.wr);
    END;
    IO.Put("done\n");
  END Server;

BEGIN
  TRY
    IF Text.Equal(Params.Get(1), "client") THEN Client() ELSE Server() END;
  EXCEPT
  | Tls.Error (why) => IO.Put("error " & why & "\n");
  | Rd.Failure (causes) => IO.Put("failure " & Atom.ToText(causes.head) & "\n");
  END;
END TlsWitness.
