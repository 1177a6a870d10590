// The twin of bench/gc/threads in Java.
final class Threads {
  static final int THREADS = 4;
  static final int ROUNDS = 400;
  static final int LENGTH = 20000;
  static final int KEPT = 8;

  record List(long n, List next) {}

  static long work() {
    List[] kept = new List[KEPT];
    long sum = 0;
    for (int round = 0; round < ROUNDS; ++round) {
      List list = null;
      for (int i = 1; i <= LENGTH; ++i) list = new List(i, list);
      kept[round % KEPT] = list;
      for (; list != null; list = list.next) sum += list.n;
    }
    return sum;
  }

  public static void main(String[] arguments) throws InterruptedException {
    long[] sums = new long[THREADS];
    Thread[] threads = new Thread[THREADS];
    for (int i = 0; i < THREADS; ++i) {
      int mine = i;
      threads[i] = new Thread(() -> sums[mine] = work());
      threads[i].start();
    }
    long sum = 0;
    for (int i = 0; i < THREADS; ++i) {
      threads[i].join();
      sum += sums[i];
    }
    System.out.println(sum);
  }
}
