(* Addresses and names of hosts in networks of IPv4, as in the classic package tcp. *)
INTERFACE IP;

IMPORT Atom, AtomList;

TYPE
  Port = [0..65535];

  (* The bytes in the order in which they are written. *)
  Address = RECORD
    a: ARRAY [0..3] OF BITS 8 FOR [0..255];
  END;

  Endpoint = RECORD
    addr: Address;
    port: Port;
  END;
  EndPoint = Endpoint;

CONST
  NullPort: Port = 0;  (* any *)
  NullAddress = Address{a := ARRAY [0..3] OF BITS 8 FOR [0..255]{0, 0, 0, 0}};  (* any *)
  NullEndPoint = Endpoint{addr := NullAddress, port := NullPort};

EXCEPTION
  Error(AtomList.T);
  FatalError;

VAR (*CONST*)
  (* Heads of the arguments of Error. *)
  LookupFailure: Atom.T;  (* names cannot be looked up just now *)
  NoResources: Atom.T;    (* the system's limits are reached *)

(* Returns whether a host with this name (or address in digits) is known; if so, sets the
   address. *)
PROCEDURE GetHostByName(nm: TEXT; VAR res: Address): BOOLEAN RAISES {Error};

(* The canonical name of the host. Raises Error if there is none. *)
PROCEDURE GetCanonicalByName(nm: TEXT): TEXT RAISES {Error};
PROCEDURE GetCanonicalByAddr(addr: Address): TEXT RAISES {Error};

(* An address of this host. *)
PROCEDURE GetHostAddr(): Address;

(* 127.0.0.1 and the like. *)
PROCEDURE FormatAddress(addr: Address): TEXT;

END IP.
