import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;

/** What the programs share: random numbers, times and the lines that tell them (bench/support/usage). */
final class Program {
  private Program() {}

  // ---- Random numbers, as everybody draws them

  private static long state = 1;

  static void startRandom(long seed) {
    state = seed;
  }

  static int draw(int n) {
    state = state * 6364136223846793005L + 1442695040888963407L;
    return (int) ((state >>> 33) % n);
  }

  // ---- Times and lines

  static void fail(String message) {
    System.err.println("error: " + message);
    System.exit(2);
  }

  /** Nanoseconds of clock, user and system time. */
  static long[] now() {
    long elapsed = System.nanoTime();
    try {
      String stat = Files.readString(Path.of("/proc/self/stat"));
      String[] words = stat.substring(stat.lastIndexOf(')') + 2).split(" ");
      long tick = 10_000_000L;  // what /proc counts in
      return new long[] {elapsed, Long.parseLong(words[11]) * tick,
          Long.parseLong(words[12]) * tick};
    } catch (java.io.IOException e) {
      throw new java.io.UncheckedIOException(e);
    }
  }

  static void tell(String what, long count, long[] from, long[] to) {
    System.out.printf(Locale.ROOT, "%s count %d elapsed_us %.2f user_us %d system_us %d%n", what,
        count, (to[0] - from[0]) / 1e3, (to[1] - from[1]) / 1000, (to[2] - from[2]) / 1000);
  }

  static void tellMemory() throws java.io.IOException {
    for (String line : Files.readAllLines(Path.of("/proc/self/status"))) {
      if (line.startsWith("VmHWM:")) {
        System.out.println("memory peak_kb " + line.replaceAll("[^0-9]", ""));
      }
    }
  }
}
