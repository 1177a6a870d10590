(* Requests to servers by HTTP and HTTPS, by the library curl (package libcurl4-openssl-dev). Certificates
   are checked; proxies are those of the environment (http_proxy ...). Texts are of bytes. Any thread may
   call; each request has a connection of its own.

   Example, without a server:

       MODULE Main;
       IMPORT Http, IO;
       BEGIN
         TRY
           IO.Put(Http.Get("http://127.0.0.1:1/").body);
         EXCEPT
         | Http.Error => IO.Put("nobody answers\n");
         ELSE IO.Put("alerted\n");
         END;
       END Main.

   It prints

       nobody answers
*)
INTERFACE Http;

IMPORT Thread;

TYPE
  Texts = REF ARRAY OF TEXT;

  Response = REF RECORD
    status: CARDINAL;  (* 200 means success *)
    headers: Texts;    (* "Name: value", in the order in which they came *)
    body: TEXT;
    address: TEXT;     (* of what was read: another one if the server has sent us there *)
  END;

  Options = RECORD
    headers: Texts := NIL;              (* "Name: value", of the request *)
    seconds := 60.0D0;                  (* for all of the request *)
    most: CARDINAL := 16_4000000;       (* characters of a body *)
    redirections: CARDINAL := 10;       (* to follow *)
  END;

EXCEPTION
  (* There was no whole response; what curl says about it. A status that means a failure is none. *)
  Error(TEXT);

(* What is at an address: "https://example.org/index.html". *)
PROCEDURE Get(address: TEXT; READONLY options := Options{}): Response RAISES {Error, Thread.Alerted};

(* A request of any method: "POST", "PUT", "DELETE", "HEAD" ... A body that is not NIL is sent, as
   application/x-www-form-urlencoded unless a header names another Content-Type. *)
PROCEDURE Send(method, address: TEXT; body: TEXT := NIL; READONLY options := Options{}): Response
  RAISES {Error, Thread.Alerted};

(* The value of the first header with this name, whose case does not matter; NIL if there is none. *)
PROCEDURE Header(r: Response; name: TEXT): TEXT;

END Http.
