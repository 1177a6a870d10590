(* golden: run, -w *)
(* Threads in C code that computes, sleeps, calls back from pthreads of its own, jumps over its own
   frames, keeps errno, sorts with a callback that waits, handles signals on either stack, and forks.
   (language.md 28) *)
(* unit: m3makefile *)
c_source("Help")
interface("Help")
implementation("Main")
program("main")
(* unit: Help.c *)
#include <errno.h>
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

typedef long (*Work)(long);

double cpu_seconds(double seconds) {
  struct timespec start, now;
  volatile double sum = 0;
  clock_gettime(CLOCK_MONOTONIC, &start);
  do {
    for (int i = 0; i < 1000; ++i) sum += i * 0.5;
    clock_gettime(CLOCK_MONOTONIC, &now);
  } while ((now.tv_sec - start.tv_sec) + (now.tv_nsec - start.tv_nsec) * 1e-9 < seconds);
  return sum;
}

void sleep_ms(int ms) { usleep(ms * 1000); }

struct Task { Work work; long argument, result; };
static void *run(void *p) {
  struct Task *task = p;
  for (int i = 0; i < 20; ++i) task->result += task->work(task->argument);
  return NULL;
}
long on_pthreads(long count, Work work) {
  pthread_t threads[64];
  struct Task tasks[64];
  long sum = 0;
  for (long i = 0; i < count; ++i) {
    tasks[i] = (struct Task){work, i, 0};
    if (pthread_create(&threads[i], NULL, run, &tasks[i]) != 0) abort();
  }
  for (long i = 0; i < count; ++i) { pthread_join(threads[i], NULL); sum += tasks[i].result; }
  return sum;
}

static jmp_buf back;
static void deeper(int n, Work work) {
  volatile char room[512];
  room[0] = n;
  if (n == 0) { work(1); longjmp(back, 7); }
  deeper(n - 1, work);
  room[1] = n;
}
/* Leaves frames of C only. */
long jump(Work work) {
  jmp_buf mine;
  int r;
  work(0);
  r = setjmp(mine);
  if (r == 0) {
    memcpy(back, mine, sizeof mine);
    deeper(10, work);
  }
  return r;
}

long errno_kept(Work work) { errno = 33; work(0); return errno; }

static Work compare;
static int by_callback(const void *a, const void *b) {
  long x = *(const long *)a, y = *(const long *)b;
  compare(x);
  return x < y ? -1 : x > y;
}
long sort(long n, Work work) {
  long *v = malloc(n * sizeof *v);
  long bad = 0;
  compare = work;
  for (long i = 0; i < n; ++i) v[i] = (i * 7919) % n;
  qsort(v, n, sizeof *v, by_callback);
  for (long i = 0; i < n; ++i) bad += v[i] != i;
  free(v);
  return bad;
}

static volatile sig_atomic_t handled;
static void handle(int s) { ++handled; }
static void handle_deep(int s) { volatile char room[40000]; memset((char*)room, s, sizeof room); ++handled; }
long install(int onstack, int deep) {
  struct sigaction a;
  memset(&a, 0, sizeof a);
  a.sa_handler = deep ? handle_deep : handle;
  a.sa_flags = SA_RESTART | (onstack ? SA_ONSTACK : 0);
  return sigaction(SIGUSR1, &a, NULL);
}
void send(void) { kill(getpid(), SIGUSR1); }
long count(void) { return handled; }

long fork_child(Work work) {
  pid_t child = fork();
  int status;
  if (child == 0) { long r = work(3); exit((int)r); }
  if (child < 0) return -1;
  while (waitpid(child, &status, 0) < 0 && errno == EINTR) {}
  return status;
}
(* unit: Help.i3 *)
<*EXTERNAL*> INTERFACE Help;
IMPORT Ctypes;
TYPE Work = PROCEDURE(n: INTEGER): INTEGER;
PROCEDURE cpu_seconds(s: LONGREAL): LONGREAL;
PROCEDURE sleep_ms(ms: Ctypes.int);
PROCEDURE on_pthreads(count: INTEGER; work: Work): INTEGER;
PROCEDURE jump(work: Work): INTEGER;
PROCEDURE errno_kept(work: Work): INTEGER;
PROCEDURE sort(n: INTEGER; work: Work): INTEGER;
PROCEDURE install(onstack, deep: Ctypes.int): INTEGER;
PROCEDURE send();
PROCEDURE count(): INTEGER;
PROCEDURE fork_child(work: Work): INTEGER;
END Help.
(* unit: Main.m3 *)
UNSAFE MODULE Main;
IMPORT Fmt, Help, IO, RTCollector, Thread, Text;

EXCEPTION Inside(INTEGER);

TYPE
  Kind = {Compute, Sleep, Pthreads, Jump, Errno, Sort, Signals, Forks};
  Closure = Thread.Closure OBJECT kind: Kind; n: INTEGER; OVERRIDES apply := Apply END;

VAR
  mutex := NEW(MUTEX);
  changed := NEW(Thread.Condition);
  turn := 0;
  total := 0;

PROCEDURE Allocate(n: INTEGER): INTEGER =
  VAR list: REF ARRAY OF REFANY; t: TEXT := "";
  BEGIN
    FOR i := 1 TO 50 DO
      list := NEW(REF ARRAY OF REFANY, 10 + i);
      list[i] := list;
      t := t & Fmt.Int(i);
    END;
    IF Text.Length(t) # 91 THEN RETURN -1000 END;
    RETURN n;
  END Allocate;

PROCEDURE Work(n: INTEGER): INTEGER =
  BEGIN
    EVAL Allocate(n);
    TRY
      LOCK mutex DO
        INC(total);
        INC(turn);
        Thread.Signal(changed);
        IF turn MOD 3 = 0 THEN RAISE Inside(n) END;
      END;
    EXCEPT
    | Inside(m) => RETURN m;
    END;
    IF n MOD 4 = 1 THEN Thread.Pause(0.001D0) END;
    RETURN n;
  END Work;

PROCEDURE Pausing(n: INTEGER): INTEGER =
  BEGIN
    IF n MOD 16 = 0 THEN Thread.Pause(0.0001D0) END;
    LOCK mutex DO INC(total) END;
    EVAL NEW(REF INTEGER);
    RETURN n;
  END Pausing;

PROCEDURE Child(n: INTEGER): INTEGER =
  VAR t: ARRAY [1..5] OF Thread.T; sum := 0;
  BEGIN
    EVAL Allocate(1);
    FOR i := 1 TO 5 DO t[i] := Thread.Fork(NEW(Closure, kind := Kind.Sort, n := 2)) END;
    FOR i := 1 TO 5 DO sum := sum + NARROW(Thread.Join(t[i]), REF INTEGER)^ END;
    RTCollector.Collect();
    Thread.Pause(0.001D0);
    RETURN n + sum;
  END Child;

PROCEDURE Result(n: INTEGER): REFANY =
  VAR r := NEW(REF INTEGER);
  BEGIN r^ := n; RETURN r END Result;

PROCEDURE Apply(self: Closure): REFANY =
  BEGIN
    CASE self.kind OF
    | Kind.Compute => EVAL Help.cpu_seconds(0.2D0); RETURN Result(0);
    | Kind.Sleep => Help.sleep_ms(200); RETURN Result(0);
    | Kind.Pthreads => RETURN Result(Help.on_pthreads(8, Work));
    | Kind.Jump => RETURN Result(Help.jump(Work));
    | Kind.Errno => RETURN Result(Help.errno_kept(Pausing));
    | Kind.Sort => RETURN Result(Help.sort(200, Pausing));
    | Kind.Signals => FOR i := 1 TO 20 DO Help.send(); Thread.Pause(0.001D0) END; RETURN Result(0);
    | Kind.Forks => RETURN Result(Help.fork_child(Child));
    END;
  END Apply;

PROCEDURE All(kind: Kind; name: TEXT; count := 10) =
  VAR t := NEW(REF ARRAY OF Thread.T, count); sum := 0;
  BEGIN
    FOR i := 0 TO count - 1 DO t[i] := Thread.Fork(NEW(Closure, kind := kind, n := i)) END;
    FOR i := 0 TO count - 1 DO sum := sum + NARROW(Thread.Join(t[i]), REF INTEGER)^ END;
    IO.Put(name & " " & Fmt.Int(sum) & "\n");
  END All;

BEGIN
  All(Kind.Compute, "compute");
  All(Kind.Sleep, "sleep");
  All(Kind.Pthreads, "pthreads");
  All(Kind.Jump, "jump", 1);
  All(Kind.Errno, "errno");
  All(Kind.Sort, "sort", 1);
  EVAL Help.install(1, 0); All(Kind.Signals, "onstack");
  EVAL Help.install(0, 0); All(Kind.Signals, "own stack");
  EVAL Help.install(1, 1); All(Kind.Signals, "onstack deep");
  EVAL Help.install(0, 1); All(Kind.Signals, "own stack deep");
  All(Kind.Forks, "forks");
END Main.

(* expect: compute 0 *)
(* expect: sleep 0 *)
(* expect: pthreads 5600 *)
(* expect: jump 7 *)
(* expect: errno 330 *)
(* expect: sort 0 *)
(* expect: onstack 0 *)
(* expect: own stack 0 *)
(* expect: onstack deep 0 *)
(* expect: own stack deep 0 *)
(* expect: forks 7680 *)
