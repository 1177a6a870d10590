// The twin of bench/gc/binary_trees in Java.
final class BinaryTrees {
  static final int SHALLOWEST = 4;

  static final class Tree {
    Tree left, right;

    static Tree make(int depth) {
      Tree tree = new Tree();
      if (depth > 0) {
        tree.left = make(depth - 1);
        tree.right = make(depth - 1);
      }
      return tree;
    }

    long count() {
      return left == null ? 1 : 1 + left.count() + right.count();
    }
  }

  public static void main(String[] arguments) {
    int deepest = arguments.length > 0 ? Integer.parseInt(arguments[0]) : 18;
    long total = Tree.make(deepest + 1).count();
    Tree kept = Tree.make(deepest);
    for (int depth = SHALLOWEST; depth <= deepest; depth += 2) {
      int trees = 1 << (deepest - depth + SHALLOWEST);
      for (int i = 0; i < trees; ++i) total += Tree.make(depth).count();
    }
    System.out.println(total + kept.count());
  }
}
