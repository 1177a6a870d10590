(* golden: run, with lib/Check *)
(* Uin, Usocket and Uuio, as programs written for SRC's and CM3's Unix interfaces use them. *)
UNSAFE MODULE Main;

IMPORT Cerrno, Check, Ctypes, Uerror, Uin, Unix, Usocket, Utypes, Uuio;

TYPE
  Pair = ARRAY [0..1] OF Ctypes.int;

PROCEDURE Order() =
  BEGIN
    Check.Int(Uin.htons(16_1234), 16_3412, "htons");
    Check.Int(Uin.ntohs(Uin.htons(80)), 80, "ntohs");
    Check.Int(Uin.htonl(16_01020304), 16_04030201, "htonl");
    Check.Int(Uin.ntohl(Uin.htonl(Uin.INADDR_LOOPBACK)), Uin.INADDR_LOOPBACK, "ntohl");
    Check.Int(BYTESIZE(Uin.struct_sockaddr_in), 16, "the size of an address");
  END Order;

PROCEDURE Pipes() =
  VAR
    ends: Pair;
    text := ARRAY [0..4] OF CHAR{'h', 'e', 'l', 'l', 'o'};
    back: ARRAY [0..9] OF CHAR;
    parts: ARRAY [0..1] OF Uuio.struct_iovec;
  BEGIN
    Check.Int(Unix.pipe(ends), 0, "pipe");
    Check.Int(Uuio.write(ends[1], ADR(text), 5), 5, "write");
    Check.Int(Uuio.read(ends[0], ADR(back), NUMBER(back)), 5, "read");
    Check.That(SUBARRAY(back, 0, 5) = text, "what was read");
    parts[0] := Uuio.struct_iovec{ADR(text[0]), 2};
    parts[1] := Uuio.struct_iovec{ADR(text[3]), 2};
    Check.Int(Uuio.writev(ends[1], ADR(parts), 2), 4, "writev");
    parts[0] := Uuio.struct_iovec{ADR(back[5]), 3};
    parts[1] := Uuio.struct_iovec{ADR(back[0]), 3};
    Check.Int(Uuio.readv(ends[0], ADR(parts), 2), 4, "readv");
    Check.That(back[5] = 'h' AND back[6] = 'e' AND back[7] = 'l' AND back[0] = 'o', "in parts");
    EVAL Unix.close(ends[0]);
    EVAL Unix.close(ends[1]);
    Check.Int(Uuio.read(ends[0], ADR(back), 1), -1, "a closed descriptor");
    Check.Int(Cerrno.GetErrno(), Uerror.EBADF, "its errno");
  END Pipes;

PROCEDURE Sockets() =
  VAR
    server := Usocket.socket(Usocket.AF_INET, Usocket.SOCK_STREAM, 0);
    client := Usocket.socket(Usocket.AF_INET, Usocket.SOCK_STREAM, 0);
    here, there, other: Uin.struct_sockaddr_in;
    length: Ctypes.int := BYTESIZE(here);
    long: Utypes.socklen_t := BYTESIZE(here);
    on: Ctypes.int := 1;
    accepted: Ctypes.int;
    text := ARRAY [0..2] OF CHAR{'a', 'b', 'c'};
    back: ARRAY [0..9] OF CHAR;
  BEGIN
    Check.That(server >= 0 AND client >= 0, "socket");
    Check.Int(Usocket.setsockopt(server, Usocket.SOL_SOCKET, Usocket.SO_REUSEADDR, ADR(on),
                                 BYTESIZE(on)), 0, "setsockopt");
    here.sin_family := Usocket.AF_INET;
    here.sin_port := 0;
    here.sin_addr.s_addr := Uin.htonl(Uin.INADDR_LOOPBACK);
    Check.Int(Usocket.bind(server, ADR(here), BYTESIZE(here)), 0, "bind");
    Check.Int(Usocket.listen(server, 5), 0, "listen");
    Check.Int(Usocket.getsockname(server, ADR(there), ADR(length)), 0, "getsockname");
    Check.Int(length, BYTESIZE(there), "the length of the name");
    Check.Int(Usocket.connect(client, ADR(there), BYTESIZE(there)), 0, "connect");
    accepted := Usocket.accept(server, ADR(other), ADR(long));
    Check.That(accepted >= 0 AND long = BYTESIZE(other), "accept");
    Check.Int(Uin.ntohl(other.sin_addr.s_addr), Uin.INADDR_LOOPBACK, "who it is");
    Check.Int(Usocket.send(client, ADR(text), 3, 0), 3, "send");
    Check.Int(Usocket.recv(accepted, ADR(back), NUMBER(back), Usocket.MSG_PEEK), 3, "peek");
    Check.Int(Usocket.recvfrom(accepted, ADR(back), NUMBER(back), 0, NIL, NIL), 3, "recvfrom");
    Check.That(SUBARRAY(back, 0, 3) = text, "what was received");
    Check.Int(Usocket.shutdown(client, Usocket.SHUT_WR), 0, "shutdown");
    Check.Int(Usocket.recv(accepted, ADR(back), NUMBER(back), 0), 0, "the end");
    EVAL Unix.close(accepted);
    EVAL Unix.close(client);
    EVAL Unix.close(server);
  END Sockets;

BEGIN
  Order();
  Pipes();
  Sockets();
  Check.Done();
END Main.
(* expect: all checks hold *)
