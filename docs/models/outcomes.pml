/* What a page server remembers of commits (docs/page_server.md, "Outcomes";
   store/server/outcome_memory.h).

   A program sends commits, of which two may be on their way. A request may be lost, or its answer; then
   the program asks for the outcome, after any time. Meanwhile others commit, for whom nobody asks, and
   the server is started again, or the connection is lost. The server remembers the LATEST commits, and
   at most OLDER others: commits of the program that the program has not settled. Each request says up to
   which version the program knows all its commits. A server that was started again does not know whose
   commits it finds, so it keeps all of them. When it must give one up it notes the commit's version as
   the limit of its memory. A question says above which version the commit is; if that is below the limit
   the answer for a commit that is not remembered is "unknown", else it is "no".

   A commit may be the server's part of a commit of several stores: the request prepares it, and it is
   carried out or given up later, also after a start, by whoever learns what was decided. It counts as the
   program's that has prepared it. While it waits, the answer to a question is "unknown".

   Checked: a commit that took place is never denied, and a denied one never takes place.

   Run by tests/models/models_test.py, also with each of the mistakes FORGET_AND_DENY (which the server
   made once), IGNORE_THE_LIMIT, FORGET_AT_A_START, SAVE_LATER, SETTLE_WHAT_IS_SEEN,
   FORGET_WHO_IS_CUT_OFF, DENY_WHAT_IS_PREPARED (made once, too) and FORGET_WHO_PREPARED, which it must
   find. */

#define COMMITS 4                      /* versions */
#define STARTS 2
#define LATEST 1
#define OLDER 1

#define NOBODY 0
#define PROGRAM 1
#define EARLIER 2                      /* whoever was there before the last start */

/* The store. */
byte newest = 0;
bool there[COMMITS + 1];               /* the outcome is remembered, */
bool saved[COMMITS + 1];               /* also after a start */
byte asker[COMMITS + 1];
byte limit = 0;
byte settled = 0;                      /* by the program, since the last start */
byte starts = 0;

/* The program's two commits. */
bool waits[2];                         /* the program does not know its outcome */
bool on_its_way[2];                    /* the request may still arrive */
byte prepared[2];                      /* for whom; NOBODY: it is not */
bool denied[2];
byte above[2];
byte version[2];                       /* 0: it has not taken place */
byte seen = 0;                         /* the highest version that the program has seen */
byte sent_settled[2];

hidden byte v;
hidden byte older;
hidden byte lowest;

#ifdef FORGET_AND_DENY
#define WANTED(v) false
#else
#define WANTED(v) (asker[v] == EARLIER || (asker[v] == PROGRAM && v > settled))
#endif

inline forget(which) {
  there[which] = false;
  saved[which] = false;
  asker[which] = NOBODY
}

/* A commit of `whose` takes place. */
inline commit(whose) {
  newest++;
  there[newest] = true;
  saved[newest] = true;
  asker[newest] = whose;
  older = 0;
  lowest = 0;
  v = newest;
  do
  :: v > 0 ->
     if
     :: newest - v >= LATEST && there[v] && !WANTED(v) -> forget(v)
     :: newest - v >= LATEST && there[v] && WANTED(v) ->
        older++;
        lowest = v
     :: else
     fi;
#ifdef SAVE_LATER
     if
     :: newest - v >= LATEST -> saved[v] = false
     :: else
     fi;
#endif
     v--
  :: else -> break
  od;
  if
  :: older > OLDER ->
     limit = lowest;
     forget(lowest)
  :: else
  fi;
  older = 0;
  lowest = 0
}

/* The request arrives. */
inline arrive(c) {
  on_its_way[c] = false;
  if
  :: denied[c] || newest == COMMITS
  :: else ->
     if
     :: sent_settled[c] > settled -> settled = sent_settled[c]
     :: else
     fi;
     if
     :: commit(PROGRAM);
        version[c] = newest
     :: prepared[c] = PROGRAM
     fi
  fi
}

/* The part that waits is carried out. */
inline carry_out(c) {
  assert(!denied[c]);
  if
  :: prepared[c] == PROGRAM && sent_settled[c] > settled -> settled = sent_settled[c]
  :: else
  fi;
#ifdef FORGET_WHO_PREPARED
  commit(NOBODY);
#else
  commit(prepared[c]);
#endif
  version[c] = (waits[c] -> newest : 0);
  prepared[c] = NOBODY
}

active proctype program() {
  byte c;
end:
  do
  :: atomic {
       newest < COMMITS ->
       if
       :: !waits[0] && prepared[0] == NOBODY -> c = 0
       :: !waits[1] && prepared[1] == NOBODY -> c = 1
       fi;
       waits[c] = true;
       on_its_way[c] = true;
       denied[c] = false;
       version[c] = 0;
       above[c] = seen;
#ifdef SETTLE_WHAT_IS_SEEN
       sent_settled[c] = seen;
#else
       /* The other commit is above this. */
       sent_settled[c] = (waits[1 - c] -> above[1 - c] : seen);
#endif
       c = 0
     }
  :: atomic {                          /* an answer comes */
       if
       :: waits[0] && version[0] > 0 -> c = 0
       :: waits[1] && version[1] > 0 -> c = 1
       fi;
       waits[c] = false;
       seen = (version[c] > seen -> version[c] : seen);
       version[c] = 0;
       above[c] = 0;
       sent_settled[c] = 0;
       c = 0
     }
  :: atomic { seen < newest -> seen = newest }       /* it reads a page */
  :: atomic {                          /* the answer is lost: it asks */
       if
       :: waits[0] -> c = 0
       :: waits[1] -> c = 1
       fi;
       if
       :: version[c] > 0 && there[version[c]] -> seen = (version[c] > seen -> version[c] : seen)
#ifndef DENY_WHAT_IS_PREPARED
       :: prepared[c] != NOBODY        /* nobody knows yet */
#endif
       :: else ->
          if
#ifdef IGNORE_THE_LIMIT
          :: true ->
#else
#ifdef FORGET_AND_DENY
          :: true ->
#else
          :: above[c] >= limit ->
#endif
#endif
             assert(version[c] == 0);
             denied[c] = true
          :: else                      /* nobody will know */
          fi
       fi;
       /* The server refuses a request of an earlier connection. */
       on_its_way[c] = false;
       waits[c] = false;
       version[c] = 0;
       above[c] = 0;
       sent_settled[c] = 0;
       c = 0
     }
  od
}

active proctype server() {
end:
  do
  :: atomic { on_its_way[0] -> arrive(0) }
  :: atomic { on_its_way[1] -> arrive(1) }
  :: atomic { on_its_way[0] -> on_its_way[0] = false }         /* the request is lost */
  :: atomic { on_its_way[1] -> on_its_way[1] = false }
  :: atomic { prepared[0] != NOBODY && newest < COMMITS -> carry_out(0) }
  :: atomic { prepared[1] != NOBODY && newest < COMMITS -> carry_out(1) }
  :: atomic { prepared[0] != NOBODY -> prepared[0] = NOBODY }  /* it is given up */
  :: atomic { prepared[1] != NOBODY -> prepared[1] = NOBODY }
  :: atomic { newest < COMMITS -> commit(NOBODY) }
  :: atomic {                          /* the connection is lost */
       waits[0] || waits[1] ->
       on_its_way[0] = false;
       on_its_way[1] = false;
#ifdef FORGET_WHO_IS_CUT_OFF
       v = 1;
       do
       :: v <= newest ->
          asker[v] = (asker[v] == PROGRAM -> NOBODY : asker[v]);
          v++
       :: else -> break
       od;
#endif
       v = 0
     }
  :: atomic {                          /* it is started again */
       starts < STARTS ->
       starts++;
       on_its_way[0] = false;
       on_its_way[1] = false;
       settled = 0;
       prepared[0] = (prepared[0] == NOBODY -> NOBODY : EARLIER);
       prepared[1] = (prepared[1] == NOBODY -> NOBODY : EARLIER);
       v = 1;
       do
       :: v <= newest ->
          there[v] = saved[v];
#ifdef FORGET_AT_A_START
          asker[v] = NOBODY;
#else
          asker[v] = (there[v] -> EARLIER : NOBODY);
#endif
          v++
       :: else -> break
       od;
       v = 0
     }
  od
}
