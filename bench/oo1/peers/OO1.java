import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.eclipse.store.storage.embedded.types.EmbeddedStorage;
import org.eclipse.store.storage.embedded.types.EmbeddedStorageManager;

/**
 * OO1 in EclipseStore, as one writes it: plain objects, those that change are stored.
 *
 * <pre>
 *   OO1 create PATH
 *   OO1 measure PATH lookup|traversal|insert
 * </pre>
 *
 * The lines are those of bench/support/usage.
 */
public final class OO1 {
  private static final int PARTS = 20000;
  private static final int CONNECTIONS = 3;
  private static final int LOOKUPS = 1000;
  private static final int HOPS = 7;
  private static final int INSERTIONS = 100;
  private static final int NEAR_SHARE = 90;
  private static final int NEAR_PARTS = PARTS / 100;
  private static final int ITERATIONS = 10;

  // ---- Objects

  static final class Part {
    int id, x, y, buildDate;
    String type;
    Connection[] to = new Connection[CONNECTIONS];
    List<Connection> from = new ArrayList<>();
  }

  static final class Connection {
    int length;
    String type;
    Part from, to;
  }

  private final Map<Integer, Part> byId;
  private final Set<Object> changed = java.util.Collections.newSetFromMap(new IdentityHashMap<>());
  private long seen;  // the sum of what the operation met

  private OO1(Map<Integer, Part> byId) {
    this.byId = byId;
  }

  // ---- Building

  private static String type() {
    return "type" + Program.draw(10);
  }

  private static int target(int parts, int id) {
    if (Program.draw(100) >= NEAR_SHARE) return Program.draw(parts);
    int first = Math.min(Math.max(id - NEAR_PARTS / 2, 0), parts - NEAR_PARTS);
    return first + Program.draw(NEAR_PARTS);
  }

  private void makePart() {
    Part part = new Part();
    part.id = byId.size();
    part.x = Program.draw(100000);
    part.y = Program.draw(100000);
    part.buildDate = Program.draw(10 * 365);
    part.type = type();
    byId.put(part.id, part);
  }

  private void connect(Part part) {
    for (int i = 0; i < CONNECTIONS; ++i) {
      Connection connection = new Connection();
      connection.from = part;
      connection.to = byId.get(target(byId.size(), part.id));
      connection.length = Program.draw(1000);
      connection.type = type();
      connection.to.from.add(connection);
      part.to[i] = connection;
      changed.add(connection.to.from);
      seen += connection.to.id;
    }
  }

  private void makeParts(int n) {
    int first = byId.size();
    for (int i = 0; i < n; ++i) makePart();
    for (int id = first; id < first + n; ++id) connect(byId.get(id));
    changed.add(byId);
  }

  // ---- Operations

  private void use(Part part) {
    seen += part.x + part.y + part.type.charAt(4);
  }

  private void visit(Part part, int hops) {
    use(part);
    if (hops == 0) return;
    for (Connection connection : part.to) visit(connection.to, hops - 1);
  }

  private void perform(String operation) {
    seen = 0;
    switch (operation) {
      case "lookup":
        for (int i = 0; i < LOOKUPS; ++i) use(byId.get(Program.draw(PARTS)));
        return;
      case "traversal":
        visit(byId.get(Program.draw(PARTS)), HOPS);
        return;
      case "insert":
        makeParts(INSERTIONS);
        return;
      default:
        Program.fail("no operation " + operation);
    }
  }

  private void commit(EmbeddedStorageManager storage) {
    if (!changed.isEmpty()) storage.storeAll(changed);
    changed.clear();
  }

  // ---- Commands

  private static void create(String path) {
    long[] from = Program.now();
    OO1 oo1 = new OO1(new HashMap<>());
    Program.startRandom(1);
    oo1.makeParts(PARTS);
    EmbeddedStorageManager storage = EmbeddedStorage.start(oo1.byId, Path.of(path));
    storage.storeRoot();
    Program.tell("create", PARTS, from, Program.now());
    storage.shutdown();
  }

  @SuppressWarnings("unchecked")
  private static void measure(String path, String operation) throws java.io.IOException {
    long[] from = Program.now();
    EmbeddedStorageManager storage = EmbeddedStorage.start(Path.of(path));
    OO1 oo1 = new OO1((Map<Integer, Part>) storage.root());
    Program.tell("open", oo1.byId.size(), from, Program.now());
    for (int i = 1; i <= ITERATIONS + 1; ++i) {
      Program.startRandom(Math.min(i, ITERATIONS));
      from = Program.now();
      oo1.perform(operation);
      long[] to = Program.now();
      Program.tell("iteration", oo1.seen, from, to);
      oo1.commit(storage);
      Program.tell("chain", 0, to, Program.now());
    }
    Program.tellMemory();
    storage.shutdown();
  }

  public static void main(String[] words) throws Exception {
    if (words.length == 2 && words[0].equals("create")) {
      create(words[1]);
    } else if (words.length == 3 && words[0].equals("measure")) {
      measure(words[1], words[2]);
    } else {
      Program.fail("usage: create PATH | measure PATH lookup|traversal|insert");
    }
  }
}
