MODULE CsvTest;

IMPORT Csv, Fmt, Rd, Test, Text, TextRd, TextWr, Texts, Thread, Wr;

<*FATAL Rd.Failure, Wr.Failure, Thread.Alerted*>

PROCEDURE ReaderOf(table: TEXT; ragged := FALSE; longest := LAST(CARDINAL)): Csv.Reader =
  BEGIN
    RETURN NEW(Csv.Reader).init(TextRd.New(table), ragged := ragged, longest := longest);
  END ReaderOf;

(* Each row as line:<field|field>, and the error that ends the table. *)
PROCEDURE Rows(reader: Csv.Reader): TEXT =
  VAR result := "";
  BEGIN
    TRY
      WHILE reader.next() DO
        result := result & Fmt.Int(reader.line()) & ":<";
        FOR i := 0 TO reader.count() - 1 DO
          IF i > 0 THEN result := result & "|" END;
          result := result & reader.get(i);
        END;
        result := result & ">";
      END;
      RETURN result;
    EXCEPT
    | Csv.Error (why) => RETURN result & why;
    END;
  END Rows;

PROCEDURE TestRows(t: Test.T) =
  BEGIN
    t.equalText(Rows(ReaderOf("")), "");
    t.equalText(Rows(ReaderOf("a,b\r\nc,\r\n")), "1:<a|b>2:<c|>");
    t.equalText(Rows(ReaderOf("a,b\nc,d")), "1:<a|b>2:<c|d>");
    t.equalText(Rows(ReaderOf("\"a,\r\n\"\"b\"\"\",x\r\ny,\"\"")), "1:<a,\r\n\"b\"|x>3:<y|>");
    t.equalText(Rows(ReaderOf("a\n\nb\n\"\"\n", ragged := TRUE)), "1:<a>2:<>3:<b>4:<>");
    t.equalText(Rows(ReaderOf("a\nb,c\n", ragged := TRUE)), "1:<a>2:<b|c>");
  END TestRows;

PROCEDURE TestErrors(t: Test.T) =
  BEGIN
    t.equalText(Rows(ReaderOf("a,b\nc\n")), "1:<a|b>line 2: the row has 1 fields, and the first one 2");
    t.equalText(Rows(ReaderOf("a,b\"c\n")), "line 1, field 1: a double quote in a field without quotes around it");
    t.equalText(Rows(ReaderOf("a,\"\r\n\"c\n")),
                "line 2, field 1: a separator or the end of the line must follow the double quote that ends a field");
    t.equalText(Rows(ReaderOf("a\n\"b\nc")), "1:<a>line 2, field 0: the double quotes around a field are not closed");
    t.equalText(Rows(ReaderOf("ab,cd\nab,cde\n", longest := 4)),
                "1:<ab|cd>line 2, field 1: the row has more than 4 characters");
  END TestErrors;

PROCEDURE TestFields(t: Test.T) RAISES {Csv.Error} =
  VAR reader := ReaderOf("n,x\n 17,2.5\ntwo,1e999\n");  chars: ARRAY [0..1] OF CHAR;
  PROCEDURE Why(i: [1..6]): TEXT =
    BEGIN
      TRY
        CASE i OF
        | 1 => EVAL reader.getInt(0);
        | 2 => EVAL reader.getLongReal(1);
        | 3 => EVAL reader.get(2);
        | 4 => EVAL reader.column("y");
        | 5 => EVAL ReaderOf("a").column("y");
        | 6 => reader.fail("no");
        END;
        RETURN "";
      EXCEPT
      | Csv.Error (why) => RETURN why;
      END;
    END Why;
  BEGIN
    t.check(reader.header() AND reader.next());
    t.equalInt(reader.column("x"), 1);
    t.equalInt(reader.getInt(0), 17);
    t.check(reader.getLongReal(1) = 2.5D0);
    t.check(reader.next());
    t.equalInt(reader.getChars(0, chars), 3);
    t.equalText(Text.FromChars(chars), "tw");
    t.equalText(Why(1), "line 3, field 0: \"two\" is not an integer");
    t.equalText(Why(2), "line 3, field 1: \"1e999\" is not a number that fits LONGREAL");
    t.equalText(Why(3), "line 3: there is no field 2 in a row of 2");
    t.equalText(Why(4), "the header has no column \"y\", but n, x");
    t.equalText(Why(5), "no header has been read that could name a column \"y\"");
    t.equalText(Why(6), "line 3: no");
    t.check(NOT reader.next() AND NOT reader.next());
  END TestFields;

PROCEDURE TestWriter(t: Test.T) =
  VAR wr := TextWr.New();  writer := NEW(Csv.Writer).init(wr, separator := ';');
  BEGIN
    writer.put(ARRAY OF TEXT{"a;b", "c,d", "\"", "x\ny", ""});
    writer.put(ARRAY OF TEXT{""});
    writer.put(ARRAY OF TEXT{});
    t.equalText(TextWr.ToText(wr), "\"a;b\";c,d;\"\"\"\";\"x\ny\";\r\n\"\"\r\n\r\n");
  END TestWriter;

PROCEDURE TestManyFields(t: Test.T) =
  VAR row := Texts.Repeat("field,", 999) & "field";
  BEGIN
    t.equalInt(Texts.Count(Rows(ReaderOf(Texts.Repeat(row & "\n", 20))), "field"), 20000);
  END TestManyFields;

BEGIN
END CsvTest.
