import java.nio.file.Path;
import java.util.ArrayList;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import org.eclipse.store.storage.embedded.types.EmbeddedStorage;
import org.eclipse.store.storage.embedded.types.EmbeddedStorageManager;

/**
 * OO7 in EclipseStore, as one writes it: plain objects, those that change are stored. The operations
 * of the record stores.
 *
 * <pre>
 *   OO7 create PATH CONFIGURATION
 *   OO7 measure PATH OPERATION one|many
 * </pre>
 *
 * The lines are those of bench/support/usage.
 */
public final class OO7 {
  private static final int COMPOSITE_PARTS = 500;
  private static final int CONNECTIONS = 3;
  private static final int LEVELS = 7;
  private static final int FANOUT = 3;
  private static final int DOCUMENT_SIZE = 2000;
  private static final int ITERATIONS = 5;

  // ---- Objects

  static final class AtomicPart {
    int id, buildDate, x, y, docId;
    String type;
    Connection[] to = new Connection[CONNECTIONS];
    List<Connection> from = new ArrayList<>();
    CompositePart partOf;
  }

  static final class Connection {
    int length;
    String type;
    AtomicPart from, to;
  }

  static final class Document {
    int id;
    String title, text;
    CompositePart part;
  }

  static final class CompositePart {
    int id, buildDate;
    String type;
    Document document;
    AtomicPart[] parts;
    AtomicPart root;
    List<Assembly> users = new ArrayList<>();
  }

  static final class Assembly {
    int buildDate;
    boolean base;
    Assembly parent;
    Assembly[] sub;
    CompositePart[] parts;
  }

  static final class Module {
    String manual;
    CompositePart[] parts = new CompositePart[COMPOSITE_PARTS];
    Assembly designRoot;
    int atomicParts;
  }

  // ---- Building

  private static String type() {
    return String.format(Locale.ROOT, "type%03d", Program.draw(10));
  }

  private static String filled(String sentence, int size) {
    return sentence.repeat(size / sentence.length() + 1).substring(0, size);
  }

  private static CompositePart makePart(int id, int atomicParts) {
    CompositePart part = new CompositePart();
    part.id = id;
    part.buildDate = 1000 + Program.draw(1000);
    part.type = type();
    part.document = new Document();
    part.document.id = id;
    part.document.title = "Composite part " + id;
    part.document.text =
        filled("I am the documentation for composite part " + id + "\n", DOCUMENT_SIZE);
    part.document.part = part;
    part.parts = new AtomicPart[atomicParts];
    for (int i = 0; i < atomicParts; ++i) {
      AtomicPart atomic = new AtomicPart();
      atomic.id = id * atomicParts + i;
      atomic.buildDate = 1000 + Program.draw(1000);
      atomic.x = Program.draw(100000);
      atomic.y = Program.draw(100000);
      atomic.docId = id;
      atomic.type = type();
      atomic.partOf = part;
      part.parts[i] = atomic;
    }
    part.root = part.parts[0];
    for (int i = 0; i < atomicParts; ++i) {
      for (int j = 0; j < CONNECTIONS; ++j) {
        Connection connection = new Connection();
        connection.length = Program.draw(100);
        connection.type = type();
        connection.from = part.parts[i];
        connection.to = part.parts[j == 0 ? (i + 1) % atomicParts : Program.draw(atomicParts)];
        connection.to.from.add(connection);
        part.parts[i].to[j] = connection;
      }
    }
    return part;
  }

  private static Assembly makeAssembly(Module module, Assembly parent, int level) {
    Assembly assembly = new Assembly();
    assembly.buildDate = 1000 + Program.draw(1000);
    assembly.parent = parent;
    assembly.base = level == LEVELS;
    if (assembly.base) {
      assembly.parts = new CompositePart[FANOUT];
      for (int i = 0; i < FANOUT; ++i) {
        assembly.parts[i] = module.parts[Program.draw(COMPOSITE_PARTS)];
        assembly.parts[i].users.add(assembly);
      }
    } else {
      assembly.sub = new Assembly[FANOUT];
      for (int i = 0; i < FANOUT; ++i) assembly.sub[i] = makeAssembly(module, assembly, level + 1);
    }
    return assembly;
  }

  private static Module makeModule(String configuration) {
    boolean medium = configuration.equals("medium");
    if (!medium && !configuration.equals("small")) Program.fail("no configuration " + configuration);
    Module module = new Module();
    module.atomicParts = medium ? 200 : 20;
    module.manual = filled("I am the manual for module 0\n", medium ? 1000 * 1000 : 100 * 1000);
    for (int i = 0; i < COMPOSITE_PARTS; ++i) module.parts[i] = makePart(i, module.atomicParts);
    module.designRoot = makeAssembly(module, null, 1);
    return module;
  }

  // ---- Operations

  private final Module module;
  private final String operation;
  private final int[] marks;
  private int search = 0;
  private final Set<AtomicPart> changed =
      java.util.Collections.newSetFromMap(new IdentityHashMap<>());

  private OO7(Module module, String operation) {
    if (!List.of("T1", "T2A", "T2B", "T2C", "T6", "T8").contains(operation)) {
      Program.fail("no operation " + operation);
    }
    this.module = module;
    this.operation = operation;
    this.marks = new int[COMPOSITE_PARTS * module.atomicParts];
  }

  private void update(AtomicPart part) {
    ++part.x;
    ++part.y;
    changed.add(part);
  }

  private long visit(AtomicPart part, int times) {
    marks[part.id] = search;
    for (int i = 0; i < times; ++i) update(part);
    long count = times == 0 ? 1 : times;
    for (Connection connection : part.to) {
      if (marks[connection.to.id] != search) count += visit(connection.to, times);
    }
    return count;
  }

  private long traversePart(CompositePart part) {
    ++search;
    switch (operation) {
      case "T1":
        return visit(part.root, 0);
      case "T2B":
        return visit(part.root, 1);
      case "T2C":
        return visit(part.root, 4);
      case "T2A":
        update(part.root);
        visit(part.root, 0);
        return 1;
      default:
        marks[part.root.id] = search;
        return 1;
    }
  }

  private long traverse(Assembly assembly) {
    long count = 0;
    for (int i = 0; i < FANOUT; ++i) {
      count += assembly.base ? traversePart(assembly.parts[i]) : traverse(assembly.sub[i]);
    }
    return count;
  }

  private static long countIn(String text, char c) {
    long count = 0;
    for (int i = 0; i < text.length(); ++i) {
      if (text.charAt(i) == c) ++count;
    }
    return count;
  }

  private long perform() {
    return operation.equals("T8") ? countIn(module.manual, 'I') : traverse(module.designRoot);
  }

  private void commit(EmbeddedStorageManager storage) {
    if (!changed.isEmpty()) storage.storeAll(changed);
    changed.clear();
  }

  // ---- Commands

  private static void create(String path, String configuration) {
    long[] from = Program.now();
    Module module = makeModule(configuration);
    EmbeddedStorageManager storage = EmbeddedStorage.start(module, Path.of(path));
    storage.storeRoot();
    Program.tell("create", (long) COMPOSITE_PARTS * module.atomicParts, from, Program.now());
    storage.shutdown();
  }

  private static void measure(String path, String operation, boolean many) throws Exception {
    long[] from = Program.now();
    EmbeddedStorageManager storage = EmbeddedStorage.start(Path.of(path));
    OO7 oo7 = new OO7((Module) storage.root(), operation);
    Program.tell("open", 0, from, Program.now());
    for (int i = 1; i <= ITERATIONS; ++i) {
      from = Program.now();
      long count = oo7.perform();
      long[] to = Program.now();
      Program.tell("iteration", count, from, to);
      if (!many || i == ITERATIONS) continue;
      oo7.commit(storage);
      Program.tell("chain", 0, to, Program.now());
    }
    from = Program.now();
    oo7.commit(storage);
    Program.tell("commit", 0, from, Program.now());
    Program.tellMemory();
    storage.shutdown();
  }

  public static void main(String[] words) throws Exception {
    if (words.length == 3 && words[0].equals("create")) {
      create(words[1], words[2]);
    } else if (words.length == 4 && words[0].equals("measure")) {
      measure(words[1], words[2], words[3].equals("many"));
    } else {
      Program.fail("usage: create PATH CONFIGURATION | measure PATH OPERATION one|many");
    }
  }
}
