// The twin of bench/gc/graph in Java.
final class Graph {
  static final int NODES = 500000;
  static final int STEPS = 6000000;

  record Part(long a, long b, long c) {}

  static final class Node {
    Part part;
    Node next;
    long uses;
  }

  static long state = 1;

  static int random() {
    state = (state * 1103515245 + 12345) & 0x7fffffff;
    return (int) (state / 8 % NODES);
  }

  static void change(Node n, Node m, long step) {
    if (step % 3 == 0) {
      n.part = new Part(step, n.part.a, n.uses);
    } else {
      Part part = n.part;
      n.part = m.part;
      m.part = part;
    }
    n.next = m;
    ++m.uses;
  }

  public static void main(String[] arguments) {
    Node[] nodes = new Node[NODES];
    for (int i = 0; i < NODES; ++i) {
      nodes[i] = new Node();
      nodes[i].part = new Part(i, 0, 0);
    }
    for (long step = 1; step <= STEPS; ++step) {
      Node n = nodes[random()];
      Node m = nodes[random()];
      change(n, m, step);
    }
    long sum = 0;
    for (Node node : nodes) {
      sum = (sum * 31 + node.part.a + node.part.b + node.part.c) & 0xffffffffL;
      if (node.next != null) sum += node.next.uses;
    }
    System.out.println(sum);
  }
}
