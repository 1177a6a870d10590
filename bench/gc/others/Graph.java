// The twin of bench/gc/graph in Java.
final class Graph {
  static final int NODES = 500000;
  static final long STEPS = 6000000;

  static final class Part {
    long a, b, c;

    Part(long a, long b, long c) {
      this.a = a;
      this.b = b;
      this.c = c;
    }
  }

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
    m.uses++;
  }

  public static void main(String[] arguments) {
    Node[] nodes = new Node[NODES];
    for (int i = 0; i < NODES; i++) {
      nodes[i] = new Node();
      nodes[i].part = new Part(i, 0, 0);
    }
    for (long step = 1; step <= STEPS; step++) {
      Node n = nodes[random()];
      change(n, nodes[random()], step);
    }
    long sum = 0;
    for (Node n : nodes) {
      sum = (sum * 31 + n.part.a + n.part.b + n.part.c) & 0xffffffffL;
      if (n.next != null) sum += n.next.uses;
    }
    System.out.println(sum);
  }
}
