/* The lease of a leader of a replicated store (docs/decisions/0026).

   The leader of a store answers reads from its memory, without asking the engine. So that nobody reads
   there what another leader has since changed, the leader's node has a lease. The node sets its *beat*,
   a number in the engine, again and again, to one that it has not used before; the lease lasts LEASE
   ticks from the moment in which the last beat that was answered was sent. Another node that has seen
   the same beat for a whole lease, by its own clock, takes the first node's place, on condition that
   the beat is still the same, and attaches. From then on it commits.

   The engine answers a beat when it is durable. Before that others may see it, and it may be lost with
   the engine's primary; then the beat before it is there again.

   The first node may pause at any moment, for any time. A read that it answers late began before it
   looked at its clock, so what the read saw was right when the read began. A request to the engine may arrive late,
   and its answer later still.

   Checked: a read that the first node answers began before the second node committed.

   Run by tests/models/models_test.py, also with each of the mistakes COUNT_FROM_THE_ANSWER,
   TAKE_ANY_BEAT, WAIT_TOO_SHORT, READ_WITHOUT_A_LEASE and USE_NUMBERS_AGAIN, which it must find. */

#define LEASE 3
#define END 12                         /* ticks */
#define BEATS 3
#define FAILOVERS 1

#ifdef WAIT_TOO_SHORT
#define PATIENCE (LEASE - 1)
#else
#define PATIENCE LEASE
#endif
#ifdef TAKE_ANY_BEAT
#define SAME_BEAT true
#else
#define SAME_BEAT (beat == seen)
#endif
#ifdef READ_WITHOUT_A_LEASE
#define HAS_LEASE true
#else
#define HAS_LEASE (now < valid_until)
#endif

byte now = 0;
bool over = false;

/* The engine: the first node's beat, and whether its place has been taken. */
byte beat = 0;
byte durable = 0;                      /* the last beat that no failover loses */
byte failovers = 0;
bool taken = false;
bool committed = false;                /* by the second node */

/* A beat on its way to the engine, and an answer on its way back. */
bool sent = false;
bool answered = false;
byte sent_at;
byte sent_beat;

active proctype clock() {
end:
  do
  :: atomic { now < END -> now++ }
  :: now == END -> over = true; break
  od
}

active proctype engine() {
end:
  do
  :: atomic {
       sent && !answered && beat != sent_beat ->
       if
       :: !taken -> beat = sent_beat   /* not durable yet */
       :: else -> sent = false         /* the node's place is taken: it is told so, and stops */
       fi
     }
  :: atomic { sent && !answered && beat == sent_beat -> durable = beat; answered = true }
  :: atomic {                          /* the connections break, too */
       failovers < FAILOVERS && !taken -> failovers++; beat = durable; sent = false; answered = false
     }
  od
}

active proctype first() {
  byte valid_until = LEASE;
  byte beats = 0;
  bool began_late;
end:
  do
  :: atomic {
       !sent && beats < BEATS && !over ->
       sent = true; answered = false; sent_at = now; beats++;
#ifdef USE_NUMBERS_AGAIN
       sent_beat = durable + 1
#else
       sent_beat = beats
#endif
     }
  :: atomic {
       sent && answered ->
#ifdef COUNT_FROM_THE_ANSWER
       valid_until = now + LEASE;
#else
       valid_until = sent_at + LEASE;
#endif
       sent = false;
       answered = false
     }
  :: atomic {                          /* a read begins */
       !over -> began_late = committed
     };
     if                                /* it is answered from memory, or not at all */
     :: atomic { HAS_LEASE -> assert(!began_late) }
     :: true -> skip
     fi
  :: over -> break
  od
}

active proctype second() {
  byte seen;
  byte since;
end:
  atomic { seen = beat; since = now };
  do
  :: atomic { !taken && beat != seen -> seen = beat; since = now }
  :: atomic { !taken && now >= since + PATIENCE && SAME_BEAT -> taken = true; durable = beat }
  :: atomic { taken && !committed -> committed = true }
  :: over -> break
  od
}
