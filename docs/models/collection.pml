/* The freeing rule of disk collections beside programs (design.md section 5, "Space";
   store/serve/service_collections.h, dbtool/collect/collect_shared.cc).

   A collection marks in one transaction and offers what it has not reached as candidates. From
   then on commits that write a reference to a candidate are noted, and each program says, once, at
   any moment, to which candidates it refers: from a variable, or from what its open transaction has
   written. What was noted or said is kept, with all that it reached when it was marked; the others
   are freed, one at a time.

   Two programs follow, cut and restore the references of a chain ROOT -> 2 -> 3, and keep one
   variable each across their transactions.

   Checked: nothing is freed that the committed objects, or a variable, lead to.

   Run by tests/models/models_test.py, also with each of the mistakes NOTE_NO_COMMIT, ASK_NOBODY,
   KEEP_WHAT_IS_HELD_ONLY and FORGET_THE_OPEN_TRANSACTION, which it must find. */

#define PROGRAMS 2
#define NIL 0
#define ROOT 1
#define OBJECTS 4                      /* 1 .. 3 */

byte field[OBJECTS];                   /* committed: each object refers to one */
bool freed[OBJECTS];
byte variable[PROGRAMS];
/* What the open transaction has written: one field. */
byte written[PROGRAMS];                /* the object, or NIL */
byte new_value[PROGRAMS];

/* Permissions make transactions follow each other. */
bool busy = false;

/* The collection, at the server. */
bool deciding = false;
bool candidate[OBJECTS];
bool held[OBJECTS];
byte edge[OBJECTS];                    /* as marked */
bool answered[PROGRAMS];

#define READ(object) (written[me] == object -> new_value[me] : field[object])

inline check_graph() {
  assert(!freed[field[ROOT]] || field[ROOT] == NIL);
  assert(field[ROOT] == NIL || field[field[ROOT]] == NIL || !freed[field[field[ROOT]]])
}

inline use_variable() {
  assert(variable[me] == NIL || !freed[variable[me]])
}

inline finish() {
  if
  :: written[me] != NIL && commits ->
     field[written[me]] = new_value[me];
#ifndef NOTE_NO_COMMIT
     if
     :: deciding && candidate[new_value[me]] -> held[new_value[me]] = true
     :: else
     fi;
#endif
     check_graph()
  :: else
  fi;
  written[me] = NIL;
  new_value[me] = NIL;
  busy = false
}

proctype Program(byte me) {
  bool commits;
  do
  :: atomic { !busy -> busy = true };
     /* Reads. */
     do
     :: atomic { variable[me] = READ(ROOT); use_variable() }
     :: atomic {
          variable[me] != NIL && variable[me] != ROOT ->
          use_variable();
          variable[me] = READ(variable[me]);
          use_variable()
        }
     :: break
     od;
     /* Writes. */
     if
     :: skip
     :: atomic { written[me] = ROOT; new_value[me] = variable[me] }
     :: atomic { written[me] = ROOT; new_value[me] = NIL }
     :: atomic { variable[me] > ROOT -> written[me] = variable[me]; new_value[me] = NIL }
     :: atomic {
          written[me] = ROOT; new_value[me] = variable[me];
          variable[me] = NIL           /* only the open transaction refers to it */
        }
     fi;
     if
     :: commits = true
     :: commits = false
     fi;
     atomic { finish() }
  :: atomic { variable[me] != NIL -> variable[me] = NIL }
  od
}

/* What a program says between any two of its instructions, also within a transaction. */
proctype Listener(byte me) {
  do
  :: atomic {
       deciding && !answered[me] ->
#ifndef ASK_NOBODY
       if
       :: candidate[variable[me]] -> held[variable[me]] = true
       :: else
       fi;
#ifndef FORGET_THE_OPEN_TRANSACTION
       if
       :: written[me] != NIL && candidate[new_value[me]] -> held[new_value[me]] = true
       :: else
       fi;
#endif
#endif
       answered[me] = true
     }
  od
}

proctype Collection() {
  byte at;
  do
  :: atomic {
       !busy ->                        /* one transaction, with permission to read everything */
       at = ROOT;
       do
       :: at == OBJECTS -> break
       :: else ->
          candidate[at] = at != ROOT && !freed[at];
          edge[at] = field[at];
          held[at] = false;
          at++
       od;
       at = field[ROOT];
       do
       :: at == NIL || !candidate[at] -> break
       :: else -> candidate[at] = false; at = field[at]
       od;
       answered[0] = false;
       answered[1] = false;
       deciding = true;
       at = 0
     };
     atomic { answered[0] && answered[1] -> deciding = false };
     atomic {
#ifndef KEEP_WHAT_IS_HELD_ONLY
       at = 0;
       do
       :: at == OBJECTS -> break
       :: else ->
          if
          :: held[at] && edge[at] != NIL && candidate[edge[at]] && !held[edge[at]] ->
             held[edge[at]] = true;
             at = 0
          :: else -> at++
          fi
       od;
#endif
       at = ROOT
     };
     do
     :: at == OBJECTS -> break
     :: atomic {
          at < OBJECTS && !busy ->     /* a small transaction of its own */
          if
          :: candidate[at] && !held[at] ->
             field[at] = NIL;
             freed[at] = true;
             assert(variable[0] != at && variable[1] != at);
             check_graph()
          :: else
          fi;
          candidate[at] = false;
          at++
        }
     od
  od
}

init {
  atomic {
    field[ROOT] = 2;
    field[2] = 3;
    run Program(0); run Program(1); run Listener(0); run Listener(1); run Collection()
  }
}
