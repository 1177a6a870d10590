// The twin of bench/gc/arrays in Java.
final class Arrays {
  static final int ROUNDS = 6000;
  static final int KEPT = 32;
  static final int LEAST = 5000;
  static final int ROWS = 4;

  public static void main(String[] arguments) {
    long[][][] kept = new long[KEPT][][];
    long sum = 0;
    for (int round = 0; round < ROUNDS; ++round) {
      long[][] rows = new long[ROWS][];
      for (int i = 0; i < ROWS; ++i) {
        rows[i] = new long[LEAST + round % 100 * 200];
        for (int j = 0; j < rows[i].length; j += 8) rows[i][j] = round + j;
      }
      if (kept[round % KEPT] != null) sum += kept[round % KEPT][3][8];
      kept[round % KEPT] = rows;
      sum += rows[0].length;
    }
    System.out.println(sum);
  }
}
