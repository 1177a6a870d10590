// The twin of bench/gc/gcbench in Java.
final class Gcbench {
  static final int STRETCH = 20;
  static final int LONG_LIVED = 18;
  static final int ARRAY_SIZE = 4000000;
  static final int SHALLOWEST = 4;
  static final int DEEPEST = 18;

  static final class Node {
    Node left, right;
    long i, j;

    static Node make(int depth) {
      Node node = new Node();
      if (depth > 0) {
        node.left = make(depth - 1);
        node.right = make(depth - 1);
      }
      return node;
    }

    void populate(int depth) {
      if (depth <= 0) return;
      left = new Node();
      right = new Node();
      left.populate(depth - 1);
      right.populate(depth - 1);
    }
  }

  static int nodesOf(int depth) {
    return (1 << (depth + 1)) - 1;
  }

  public static void main(String[] arguments) {
    Node.make(STRETCH);
    Node kept = new Node();
    kept.populate(LONG_LIVED);
    double[] array = new double[ARRAY_SIZE];
    for (int i = 1; i < ARRAY_SIZE / 2; ++i) array[i] = 1.0 / i;
    for (int depth = SHALLOWEST; depth <= DEEPEST; depth += 2) {
      int rounds = 2 * nodesOf(STRETCH) / nodesOf(depth);
      for (int i = 0; i < rounds; ++i) {
        new Node().populate(depth);
        Node.make(depth);
      }
    }
    if (kept.left != null && array[1000] == 1.0 / 1000) System.out.println("done");
  }
}
