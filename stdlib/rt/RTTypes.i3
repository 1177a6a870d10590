(* The run time's procedures for types, allocation by type, the objects of the heap and weak
   references. A type is given by its typecode; -1 means no type. For the modules that
   implement the classic RT interfaces. *)
UNSAFE INTERFACE RTTypes;

(* Bits of Flags. *)
CONST
  Object = 1;
  Untraced = 2;
  OpenArray = 8;

<*EXTERNAL "tn_type_count"*> PROCEDURE Count(): INTEGER;
<*EXTERNAL "tn_type_name"*> PROCEDURE Name(tc: INTEGER): TEXT;  (* NIL if there is no such type *)
<*EXTERNAL "tn_type_descriptor"*> PROCEDURE Descriptor(tc: INTEGER): ADDRESS;
<*EXTERNAL "tn_type_supertype"*> PROCEDURE Supertype(tc: INTEGER): INTEGER;
<*EXTERNAL "tn_type_is_subtype"*> PROCEDURE IsSubtype(tc, of: INTEGER): INTEGER;
<*EXTERNAL "tn_type_flags"*> PROCEDURE Flags(tc: INTEGER): INTEGER;
<*EXTERNAL "tn_type_dimensions"*> PROCEDURE Dimensions(tc: INTEGER): INTEGER;
<*EXTERNAL "tn_type_fingerprint"*> PROCEDURE Fingerprint(tc: INTEGER): INTEGER;
<*EXTERNAL "tn_type_by_fingerprint"*> PROCEDURE ByFingerprint(fp: INTEGER): INTEGER;

(* The top-level procedures, in any order, NIL behind the last one; the name of a procedure,
   "Interface.Proc" or "Module.Proc", NIL for an address that is not a top-level procedure. *)
<*EXTERNAL "tn_procedure_at"*> PROCEDURE ProcedureAt(n: INTEGER): ADDRESS;
<*EXTERNAL "tn_procedure_name"*> PROCEDURE ProcedureName(code: ADDRESS): TEXT;

<*EXTERNAL "tn_procedure_count"*> PROCEDURE ProcedureCount(): INTEGER;
(* file and name are texts of C, which stay; NIL if pc is in no procedure of Modula-3. *)
<*EXTERNAL "tn_procedure_from_pc"*>
PROCEDURE ProcedureFromPC(pc: ADDRESS; VAR code, file, name: ADDRESS);

(* NIL if the type is not of this kind. *)
<*EXTERNAL "tn_new_traced"*> PROCEDURE NewTraced(tc: INTEGER): REFANY;
<*EXTERNAL "tn_new_traced_array"*>
PROCEDURE NewTracedArray(tc: INTEGER; READONLY shape: ARRAY OF INTEGER): REFANY;
<*EXTERNAL "tn_new_untraced_object"*> PROCEDURE NewUntracedObject(tc: INTEGER): ADDRESS;
<*EXTERNAL "tn_clone"*> PROCEDURE Clone(ref: REFANY): REFANY;

(* Collects, then calls visit for each object of the heap until visit returns 0. No object moves
   meanwhile. *)
TYPE Visit = PROCEDURE (context: ADDRESS; tc: INTEGER; ref: REFANY; bytes: INTEGER): INTEGER;
<*EXTERNAL "tn_visit_objects"*> PROCEDURE VisitObjects(visit: Visit; context: ADDRESS);

(* Weak references. The cookie of a weak reference is returned with its object when the object
   has become unreachable and its clean-up is taken; 0: no clean-up is wanted. *)
<*EXTERNAL "tn_weak_register"*> PROCEDURE RegisterWeak(ref: REFANY; cookie: INTEGER): INTEGER;
<*EXTERNAL "tn_weak_get"*> PROCEDURE WeakTarget(id: INTEGER): REFANY;
<*EXTERNAL "tn_weak_take_cleanup"*>
PROCEDURE TakeCleanup(VAR id, cookie: INTEGER): REFANY;  (* NIL if none waits *)

<*EXTERNAL "tn_runtime_error_descriptor"*> PROCEDURE RuntimeErrorDescriptor(): ADDRESS;
<*EXTERNAL "tn_dump_stack"*> PROCEDURE DumpStack();
<*EXTERNAL "tn_run_exit_actions"*> PROCEDURE RunExitActions();

END RTTypes.
