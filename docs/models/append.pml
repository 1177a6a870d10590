/* The log of a replicated store (docs/decisions/0026; store/cluster/engine.h).

   Two nodes want to lead a store. The engine's primary carries out their requests in some order, and
   its changes reach the quorum in that order. A request or its answer may be lost, a request may arrive
   late, and the wait for the quorum may be cancelled, which the primary answers with success and a
   warning. At a failover another machine follows, which has what the quorum has, and perhaps more. A
   node sees a failover by its connection, which ends.

   An attachment raises the term and is answered when the quorum has it. An append is carried out if
   the term and the position of the last record are as the node believes; it is acknowledged when the
   quorum has it. When a node does not know what has become of its append, it attaches and reads the
   log. What is applied to the pages is dropped from the leader's memory, before the quorum has it.

   Checked: a record that was acknowledged, or found in the log after attaching, is there for ever; one
   that was refused, or not found, never is; a leader that reads a page sees every record that it has
   applied.

   Run by tests/models/models_test.py, also with each of the mistakes BELIEVE_WARNINGS,
   READ_WITHOUT_ATTACHING, ATTACH_WITHOUT_WAITING, APPEND_IN_ANY_TERM and STAY_AFTER_A_FAILOVER, which it
   must find. */

#define NODES 2
#define APPENDS 2                      /* in all; an append's number is its identity, from 1 */
#define ATTACHMENTS 3
#define FAILOVERS 1
#define LENGTH 6                       /* the most changes of the primary: appends, attachments, applies */

#define ATTACH 10                      /* a change of this value; smaller ones are appends */
#define APPLY 11

#ifdef APPEND_IN_ANY_TERM
#define RIGHT_TERM(term) true
#else
#define RIGHT_TERM(term) (n == term)
#endif
#ifdef STAY_AFTER_A_FAILOVER
#define CONNECTED true
#else
#define CONNECTED (connection == failovers)
#endif

/* The engine. */
byte change[LENGTH];                   /* the primary's changes, in order */
byte made = 0;                         /* how many it has */
byte safe = 0;                         /* how many of them the quorum has */
byte failovers = 0;

/* A request that may arrive late: an append. */
byte late = 0;                         /* its number; 0: none */
byte late_term;
byte late_place;

/* What is known of the appends. */
bool acknowledged[APPENDS + 1];
bool refused[APPENDS + 1];
byte next_append = 1;
byte attachments = 0;

hidden byte i;
hidden byte n;

/* The term: the number of attachments that the primary has. */
inline count_terms(result) {
  result = 0;
  i = 0;
  do
  :: i < made ->
     if
     :: change[i] == ATTACH -> result++
     :: else
     fi;
     i++
  :: else -> break
  od
}

/* How often the primary's log has the append. */
inline count_of(append, result) {
  result = 0;
  i = 0;
  do
  :: i < made ->
     if
     :: change[i] == append -> result++
     :: else
     fi;
     i++
  :: else -> break
  od
}

/* All that was promised holds. */
inline check() {
  byte a = 1;
  do
  :: a <= APPENDS ->
     count_of(a, n);
     assert(!acknowledged[a] || n == 1);
     assert(!refused[a] || n == 0);
     assert(n <= 1);
     a++
  :: else -> break
  od;
  a = 0
}

/* Carries out an append whose conditions are these; `done` tells whether it was. */
inline carry_out(append, term, place, done) {
  count_terms(n);
  done = false;
  if
  :: made < LENGTH && RIGHT_TERM(term) && made == place ->
     change[made] = append;
     made++;
     done = true
  :: else
  fi
}

active [NODES] proctype node() {
  byte term;
  byte place;                          /* of the last change that the node knows */
  byte connection;                     /* the number of failovers before it was made */
  byte append = 0;                     /* whose fate is unknown; 0: none */
  bool dropped;                        /* it has applied, and dropped from memory, what it has */
  bool done;

attach:
  atomic {
    if
    :: attachments == ATTACHMENTS || made == LENGTH -> goto end
    :: else
    fi;
    attachments++;
    connection = failovers;
    dropped = false;
    change[made] = ATTACH;
    made++;
    place = made;
    count_terms(term)
  }
  /* The answer. */
  if
#ifdef ATTACH_WITHOUT_WAITING
  :: true -> skip
#else
  :: safe >= place && connection == failovers -> skip
#endif
  :: connection != failovers -> goto attach  /* the connection has ended */
  :: true -> goto attach                     /* the answer is lost, or the wait was cancelled */
  fi;
settle:
  atomic {
    if
    :: connection != failovers -> goto attach
    :: else
    fi;
    /* The log tells what has become of the append. */
    if
    :: append != 0 ->
       count_of(append, n);
       if
       :: n > 0 -> acknowledged[append] = true
       :: else -> refused[append] = true
       fi;
       append = 0
    :: else
    fi
  }
leads:
  if
  :: atomic {
       next_append <= APPENDS && made < LENGTH ->
       append = next_append;
       next_append++
     };
     if
     :: atomic {
          connection == failovers -> carry_out(append, term, place, done);
          if
          :: done -> place++
          :: else ->
             refused[append] = true;   /* fenced */
             append = 0;
             goto attach
          fi
        };
        if
        :: safe >= place && connection == failovers ->
           acknowledged[append] = true;
           append = 0;
           goto leads
#ifdef BELIEVE_WARNINGS
        :: true ->
           acknowledged[append] = true;
           append = 0;
           goto leads
#endif
        :: true -> skip                /* no answer, or a warning */
        :: connection != failovers -> skip
        fi
     :: atomic { late == 0 -> late = append; late_term = term; late_place = place }
     :: true -> skip                   /* the request is lost */
     :: connection != failovers -> skip
     fi;
#ifdef READ_WITHOUT_ATTACHING
     goto settle
#else
     goto attach
#endif
  :: atomic {
       made < LENGTH && !dropped && connection == failovers ->
       count_terms(n);
       if
       :: n == term ->
          change[made] = APPLY;
          made++;
          place = made;
          dropped = true
       :: else -> goto attach          /* fenced */
       fi
     };
     goto leads
  :: atomic {                          /* a page is read */
       dropped && CONNECTED ->
       count_of(APPLY, n);
       assert(n > 0)
     };
     goto leads
  :: true -> goto attach               /* the node pauses, or loses its connection */
  fi;
end:
  skip
}

active proctype engine() {
  bool done;
end:
  do
  :: atomic { safe < made -> safe++ }
  :: atomic {
       failovers < FAILOVERS ->
       failovers++;
       /* The new primary has some of the changes that the quorum lacks. */
       do
       :: made > safe -> made--; change[made] = 0
       :: true -> break
       od;
       safe = made;
       late = 0;                       /* its connection has ended */
       check()
     }
  :: atomic {
       late != 0 ->
       carry_out(late, late_term, late_place, done);
       late = 0;
       check()
     }
  :: atomic { safe == made -> check() }
  od
}
