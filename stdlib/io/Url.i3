(* URLs (RFC 3986): percent-coding, parts, relative references, query strings. A text holds bytes, so letters beyond
   ASCII are those of UTF-8.

   Example:

       MODULE Main;
       IMPORT IO, Url;
       VAR url: Url.T;  query: Url.Query;
       BEGIN
         TRY
           url := Url.Parse("https://example.org:8080/a%20b?name=Ada+L.&born=1815#top");
           IO.Put(url.scheme & " | " & url.host & " | " & url.port & " | " & Url.Decode(url.path) & "\n");
           query := Url.ParseQuery(url.query);
           IO.Put(Url.Get(query, "name") & ", " & Url.Get(query, "died", "alive") & "\n");
           url := Url.Resolve(url, Url.Parse("../c?" & Url.FromQuery(Url.Pairs{Url.Pair{"q", "1 + 1"}})));
           IO.Put(Url.ToText(url) & "\n");
           IO.Put(Url.Decode("100%") & "\n");
         EXCEPT
         | Url.Error (why) => IO.Put(why & "\n");
         END;
       END Main.

   It prints

       https | example.org | 8080 | /a b
       Ada L., alive
       https://example.org:8080/c?q=1+%2B+1
       character 3 is a % without two hexadecimal digits
*)
INTERFACE Url;

(* The text says what is wrong at which position, counted from 0. *)
EXCEPTION Error(TEXT);

CONST
  (* Characters that mean themselves wherever they stand. *)
  Unreserved = SET OF CHAR{'A'..'Z', 'a'..'z', '0'..'9', '-', '.', '_', '~'};

(* t with each character that is not in `keep` as % and two digits. A character that is not in CHAR is a checked
   run-time error. *)
PROCEDURE Encode(t: TEXT; READONLY keep := Unreserved): TEXT;

(* The inverse; if plus, a + is a blank, as in query strings. *)
PROCEDURE Decode(t: TEXT; plus := FALSE): TEXT RAISES {Error};

TYPE
  (* The parts of scheme://user@host:port/path?query#fragment, not decoded. NIL: the part is missing; the path never is,
     but may be empty. An IPv6 address as host has its brackets. *)
  T = RECORD
    scheme, user, host, port: TEXT := NIL;
    path := "";
    query, fragment: TEXT := NIL;
  END;

(* The parts of an absolute URL or a relative reference. Error if a character may not stand in a URL (encode it), if a
   port is not a number, or if a bracket of a host is not closed. *)
PROCEDURE Parse(t: TEXT): T RAISES {Error};

PROCEDURE ToText(READONLY url: T): TEXT;

(* What the reference means in a document whose URL is base (RFC 3986, 5.2), without . and .. in its path. *)
PROCEDURE Resolve(READONLY base, reference: T): T;

TYPE
  Pair = RECORD name, value := "" END;
  Pairs = ARRAY OF Pair;
  Query = REF Pairs;

(* The names and values of a query string, decoded: name=value&name=value. A name without = has the value "". Of NIL:
   no pairs. *)
PROCEDURE ParseQuery(t: TEXT): Query RAISES {Error};

(* The query string of the pairs. *)
PROCEDURE FromQuery(READONLY pairs: Pairs): TEXT;

(* The first value with this name. *)
PROCEDURE Get(query: Query; name: TEXT; default: TEXT := NIL): TEXT;

END Url.
