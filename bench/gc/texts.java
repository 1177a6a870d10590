// The twin of bench/gc/texts in Java.
final class Texts {
  static final int LINES = 1000000;
  static final int KEPT = 20000;

  public static void main(String[] arguments) {
    String[] kept = new String[KEPT];
    long sum = 0;
    for (int i = 0; i < LINES; ++i) {
      String line = "line number " + i + " follows the one whose number is " + i * 7;
      if (i >= KEPT) sum += kept[i % KEPT].charAt(14);
      kept[i % KEPT] = line;
      sum += line.length();
    }
    System.out.println(sum);
  }
}
