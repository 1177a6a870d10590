(* Contexts of the processor, as in C's <ucontext.h>, for handlers of signals. The collector knows the
   stacks of threads only: Modula-3 code must not run on a stack that makecontext was given. *)
INTERFACE Uucontext;

FROM Cstddef IMPORT size_t;
FROM Ctypes IMPORT int, long_long, unsigned_char, unsigned_long, unsigned_long_long;

CONST
  NGREG = 23;

  (* Places in gregs. *)
  REG_R8 = 0;
  REG_R9 = 1;
  REG_R10 = 2;
  REG_R11 = 3;
  REG_R12 = 4;
  REG_R13 = 5;
  REG_R14 = 6;
  REG_R15 = 7;
  REG_RDI = 8;
  REG_RSI = 9;
  REG_RBP = 10;
  REG_RBX = 11;
  REG_RDX = 12;
  REG_RAX = 13;
  REG_RCX = 14;
  REG_RSP = 15;
  REG_RIP = 16;
  REG_EFL = 17;

TYPE
  greg_t = long_long;
  gregset_t = ARRAY [0..NGREG - 1] OF greg_t;
  stack_t = RECORD
    ss_sp: ADDRESS;
    ss_flags: int;
    ss_size: size_t;
  END;
  mcontext_t = RECORD
    gregs: gregset_t;
    fpregs: ADDRESS;
    reserved: ARRAY [0..7] OF unsigned_long_long;
  END;
  struct_ucontext_t_star = UNTRACED REF struct_ucontext_t;
  struct_ucontext_t = RECORD
    uc_flags: unsigned_long;
    uc_link: struct_ucontext_t_star;
    uc_stack: stack_t;
    uc_mcontext: mcontext_t;
    uc_sigmask: ARRAY [0..127] OF unsigned_char;
    fpregs_memory: ARRAY [0..63] OF unsigned_long;
    shadow_stack: ARRAY [0..3] OF unsigned_long_long;
  END;
  ucontext_t = struct_ucontext_t;

<*EXTERNAL*> PROCEDURE getcontext(context: struct_ucontext_t_star): int;
<*EXTERNAL*> PROCEDURE setcontext(context: struct_ucontext_t_star): int;
<*EXTERNAL*> PROCEDURE swapcontext(old, new: struct_ucontext_t_star): int;

END Uucontext.
