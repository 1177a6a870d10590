(* Some of the C library GMP. For programs there is BigInt. GMP ends the program when it has no
   memory. *)
<*LIBRARY "gmp", "libgmp-dev"*>
UNSAFE INTERFACE LibGmp;

FROM Ctypes IMPORT double, int, unsigned_long;

TYPE
  (* An mpz_t. *)
  Z = RECORD
    alloc: int := 0;
    size: int := 0;  (* of limbs; negative if the number is *)
    limbs: ADDRESS := NIL;
  END;

<*EXTERNAL "__gmpz_init"*> PROCEDURE init(VAR r: Z);
<*EXTERNAL "__gmpz_clear"*> PROCEDURE clear(VAR r: Z);
<*EXTERNAL "__gmpz_set_d"*> PROCEDURE set_d(VAR r: Z; x: double);
<*EXTERNAL "__gmpz_get_d"*> PROCEDURE get_d(READONLY a: Z): double;
<*EXTERNAL "__gmpz_set_str"*> PROCEDURE set_str(VAR r: Z; digits: ADDRESS; base: int): int;
<*EXTERNAL "__gmpz_get_str"*> PROCEDURE get_str(digits: ADDRESS; base: int; READONLY a: Z): ADDRESS;
<*EXTERNAL "__gmpz_sizeinbase"*> PROCEDURE sizeinbase(READONLY a: Z; base: int): INTEGER;

<*EXTERNAL "__gmpz_add"*> PROCEDURE add(VAR r: Z; READONLY a, b: Z);
<*EXTERNAL "__gmpz_sub"*> PROCEDURE sub(VAR r: Z; READONLY a, b: Z);
<*EXTERNAL "__gmpz_mul"*> PROCEDURE mul(VAR r: Z; READONLY a, b: Z);
<*EXTERNAL "__gmpz_fdiv_q"*> PROCEDURE fdiv_q(VAR r: Z; READONLY a, b: Z);
<*EXTERNAL "__gmpz_fdiv_r"*> PROCEDURE fdiv_r(VAR r: Z; READONLY a, b: Z);
<*EXTERNAL "__gmpz_gcd"*> PROCEDURE gcd(VAR r: Z; READONLY a, b: Z);
<*EXTERNAL "__gmpz_and"*> PROCEDURE and(VAR r: Z; READONLY a, b: Z);
<*EXTERNAL "__gmpz_ior"*> PROCEDURE ior(VAR r: Z; READONLY a, b: Z);
<*EXTERNAL "__gmpz_xor"*> PROCEDURE xor(VAR r: Z; READONLY a, b: Z);
<*EXTERNAL "__gmpz_com"*> PROCEDURE com(VAR r: Z; READONLY a: Z);
<*EXTERNAL "__gmpz_sqrt"*> PROCEDURE sqrt(VAR r: Z; READONLY a: Z);
<*EXTERNAL "__gmpz_nextprime"*> PROCEDURE nextprime(VAR r: Z; READONLY a: Z);
<*EXTERNAL "__gmpz_pow_ui"*> PROCEDURE pow_ui(VAR r: Z; READONLY a: Z; n: unsigned_long);
<*EXTERNAL "__gmpz_powm"*> PROCEDURE powm(VAR r: Z; READONLY a, e, m: Z);
<*EXTERNAL "__gmpz_invert"*> PROCEDURE invert(VAR r: Z; READONLY a, m: Z): int;
<*EXTERNAL "__gmpz_mul_2exp"*> PROCEDURE mul_2exp(VAR r: Z; READONLY a: Z; n: unsigned_long);
<*EXTERNAL "__gmpz_fdiv_q_2exp"*> PROCEDURE fdiv_q_2exp(VAR r: Z; READONLY a: Z; n: unsigned_long);
<*EXTERNAL "__gmpz_tstbit"*> PROCEDURE tstbit(READONLY a: Z; n: unsigned_long): int;
<*EXTERNAL "__gmpz_probab_prime_p"*> PROCEDURE probab_prime_p(READONLY a: Z; rounds: int): int;

END LibGmp.
