#include "lab/load_work_save/experiments.h"

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <utility>

#include "lab/load_work_save/conversion.h"
#include "lab/load_work_save/tree.h"
#include "lab/support/fail.h"
#include "lab/support/lab_store.h"
#include "lab/support/measure.h"

namespace tenure::lab::load_work_save {

using mneme::MnemeFile;

namespace {

constexpr const char* kDatabase = "mneme";
constexpr int kRecorded = 3;  // recorded runs, after one that is not recorded (Moss 1990, 6.3)
constexpr uint64_t kCollectionBytes = uint64_t{4} << 20;
constexpr uint32_t kObjectsInLogical = 1024;

const std::vector<uint32_t>& SlotSizes(const Options& options) {
  static const std::vector<uint32_t> all = {1, 2, 3, 5, 8, 13, 21, 34, 55, 89, 144, 233};
  static const std::vector<uint32_t> few = {1, 5, 21, 89, 233};
  return options.quick ? few : all;
}

const std::vector<uint32_t>& ByteSizes(const Options& options) {
  static const std::vector<uint32_t> all = {1,  2,  3,   5,   8,   13,  21, 34,
                                            55, 89, 144, 233, 377, 610, 987};
  static const std::vector<uint32_t> few = {1, 21, 89, 377, 987};
  return options.quick ? few : all;
}

// The highest tree whose objects, all of this size, take at most 4 MB.
Shape ShapeOf(uint32_t slots, uint32_t bytes) {
  Shape shape;
  shape.node_slots = shape.leaf_slots = slots;
  shape.node_bytes = shape.leaf_bytes = bytes;
  while (true) {
    ++shape.height;
    if (shape.bytes(1) <= kCollectionBytes) continue;
    --shape.height;
    return shape;
  }
}

// Small nodes, and large leaves, whose items are what varies.
Shape LargeLeaves(uint32_t slots, uint32_t bytes) {
  Shape shape;
  shape.leaf_slots = slots;
  shape.leaf_bytes = bytes;
  while (true) {
    ++shape.height;
    if (shape.bytes(1) <= kCollectionBytes) continue;
    --shape.height;
    return shape;
  }
}

std::vector<Times> Repeat(const std::function<Times()>& run) {
  (void)run();
  std::vector<Times> recorded;
  for (int i = 0; i < kRecorded; ++i) recorded.push_back(run());
  return recorded;
}

Row& PutShape(Row& row, const Shape& shape, uint32_t more) {
  return row.Put("objects", shape.objects())
      .Put("leaves", shape.leaves())
      .Put("bytes", shape.bytes(more))
      .Put("slots", shape.slots(more));
}

std::unique_ptr<MnemeFile> NewFile(LabStore& store) {
  return MnemeFile::Create(store.server(), kDatabase, kObjectsInLogical);
}

// A store that holds a tree of the shape, and nothing in memory.
std::unique_ptr<LabStore> StoreWith(const Shape& shape, const Options& options,
                                    const Initialization& of_leaves = {}) {
  auto store = std::make_unique<LabStore>(options.directory);
  initial_counter = 0;
  {
    const std::unique_ptr<MnemeFile> file = NewFile(*store);
    PointerMaker maker(*file);
    file->set_root(Build(maker, shape, shape.height, of_leaves));
    file->Save();
  }
  store->Close();
  return store;
}

// --- creation ---

// Makes the tree in each of the four ways, and prints a row for each.
void Create(const char* experiment, const char* varied, uint32_t x, const Shape& shape,
            const Initialization& of_leaves, const Options& options) {
  LowArena heap;
  const auto row = [&](const char* system, const std::vector<Times>& times, uint32_t more) {
    Row line(experiment, system);
    PutShape(line.Put("varied", varied).Put("x", uint64_t{x}), shape, more).Put("us", times);
  };
  const auto in_heap = [&](auto maker) {
    return Repeat([&] {
      heap.Reset();
      const Stopwatch watch;
      (void)Build(maker, shape, shape.height, of_leaves);
      return watch.Read();
    });
  };
  row("C", in_heap(HeapMaker<false>(heap)), 0);
  row("swizzled", in_heap(HeapMaker<true>(heap)), 1);
  const auto in_store = [&](auto make_maker) {
    return Repeat([&] {
      LabStore store(options.directory);
      const std::unique_ptr<MnemeFile> file = NewFile(store);
      const auto maker = make_maker(*file);
      const Stopwatch watch;
      file->set_root(Build(*maker, shape, shape.height, of_leaves));
      return watch.Read();
    });
  };
  row("pointer", in_store([](MnemeFile& file) { return std::make_unique<PointerMaker>(file); }), 1);
  row("call", in_store([](MnemeFile& file) { return std::make_unique<CallMaker>(file); }), 1);
}

void CreateAll(const Options& options) {
  for (const uint32_t x : SlotSizes(options)) {
    Create("create", "slots", x, ShapeOf(x, 0), {}, options);
  }
  for (const uint32_t x : ByteSizes(options)) {
    Create("create", "bytes", x, ShapeOf(0, x), {}, options);
  }
}

void InitializeAll(const Options& options) {
  for (const uint32_t x : SlotSizes(options)) {
    Create("initialize", "slots", x, LargeLeaves(233, 0), {.slots = x}, options);
  }
  for (const uint32_t x : ByteSizes(options)) {
    Create("initialize", "bytes", x, LargeLeaves(0, 987), {.bytes = x}, options);
  }
  for (const uint32_t x : SlotSizes(options)) {
    Create("initialize", "integers", x, LargeLeaves(0, 4 * 233), {.integers = x}, options);
  }
}

// --- work ---

constexpr double kLongEnough = 4000;  // us of one measurement

// The time of one traversal, from enough of them that the clock does not matter.
template <class Access>
std::vector<Times> TraversalTimes(Access& access, typename Access::Ref root, const Shape& shape,
                                  const Work& work) {
  return Repeat([&] {
    int rounds = 0;
    const Stopwatch watch;
    Times times;
    do {
      sums.visits = 0;
      Traverse(access, root, shape.height, work);
      if (sums.visits != shape.objects()) Fail("a traversal has not visited each object once");
      ++rounds;
      times = watch.Read();
    } while (times.processor < kLongEnough);
    times.processor /= rounds;
    times.elapsed /= rounds;
    return times;
  });
}

// One tree in each of its forms, ready to be traversed.
class WorkedTree {
 public:
  WorkedTree(const Shape& shape, const Options& options)
      : shape_(shape), store_(StoreWith(shape, options)) {
    HeapMaker<false> maker(heap_);
    plain_ = Build(maker, shape, shape.height, {});
    file_ = MnemeFile::Open(store_->server(), kDatabase);
    conversion_ = std::make_unique<Conversion>(*file_, Scheme::kCopyPointer, heap_);
    swizzled_ = conversion_->LoadEagerly();
  }

  void Measure(const char* experiment, const char* varied, uint32_t x, const Work& work,
               bool with_check) {
    const auto row = [&](const char* system, const std::vector<Times>& times, uint32_t more) {
      Row line(experiment, system);
      PutShape(line.Put("varied", varied).Put("x", uint64_t{x}), shape_, more).Put("us", times);
    };
    PlainAccess plain;
    row("C", TraversalTimes(plain, plain_, shape_, work), 0);
    SwizzledAccess swizzled;
    row("swizzled", TraversalTimes(swizzled, swizzled_, shape_, work), 1);
    if (with_check) {
      const auto convert = [](Object*) { Fail("a swizzled object is swizzled again"); };
      CheckedAccess checked(convert);
      row("swizzled+check", TraversalTimes(checked, swizzled_, shape_, work), 1);
    }
    PointerAccess pointer(*file_);
    row("pointer", TraversalTimes(pointer, file_->root(), shape_, work), 1);
    const auto call = std::make_unique<CallAccess>(*file_);
    row("call", TraversalTimes(*call, file_->root(), shape_, work), 1);
  }

 private:
  const Shape shape_;
  LowArena heap_;
  std::unique_ptr<LabStore> store_;
  std::unique_ptr<MnemeFile> file_;
  std::unique_ptr<Conversion> conversion_;
  Object* plain_ = nullptr;
  Object* swizzled_ = nullptr;
};

void TraverseAll(const Options& options) {
  for (const uint32_t x : SlotSizes(options)) {
    WorkedTree(ShapeOf(x, 0), options).Measure("traverse", "slots", x, {}, /*with_check=*/true);
  }
  for (const uint32_t x : ByteSizes(options)) {
    WorkedTree(ShapeOf(0, x), options).Measure("traverse", "bytes", x, {}, /*with_check=*/true);
  }
}

// As many items as an object has, and up to twice as many.
void WorkAll(const Options& options) {
  constexpr uint32_t kSlots = 34, kBytes = 84, kIntegers = 21;
  const auto series = [&](const char* varied, uint32_t items, uint32_t slots, uint32_t bytes,
                          uint32_t Work::* reading, uint32_t Work::* updating) {
    WorkedTree tree(ShapeOf(slots, bytes), options);
    const uint32_t steps = options.quick ? 4 : 8;
    for (uint32_t Work::* const part : {reading, updating}) {
      for (uint32_t i = 1; i <= 2 * steps; ++i) {
        // Slots are exchanged in pairs.
        const uint32_t x = items * i / steps / 2 * 2;
        Work work;
        work.*part = x;
        tree.Measure(part == reading ? "read" : "update", varied, x, work, /*with_check=*/false);
      }
    }
  };
  series("slots", kSlots, kSlots, 0, &Work::read_slots, &Work::update_slots);
  series("bytes", kBytes, 0, kBytes, &Work::read_bytes, &Work::update_bytes);
  series("integers", kIntegers, 0, 4 * kIntegers, &Work::read_integers, &Work::update_integers);
}

// --- loading, saving ---

struct NamedShape {
  const char* varied;
  uint64_t x;
  Shape shape;
};

// Two series: objects of one size, twice as many each time; and as many bytes in fewer, larger
// objects (Moss 1990, 6.2.1).
std::vector<NamedShape> SizesOfFiles(const Options& options) {
  std::vector<NamedShape> shapes;
  for (int height = 13; height <= 18; height += options.quick ? 2 : 1) {
    Shape shape;
    shape.height = height;
    shapes.push_back({"volume", 0, shape});
    shapes.back().x = shape.bytes(1);
  }
  for (uint32_t slots = 2; slots <= 256; slots *= options.quick ? 4 : 2) {
    const Shape shape = ShapeOf(slots, 0);
    shapes.push_back({"objects", shape.objects(), shape});
  }
  return shapes;
}

// Shapes of large leaves that get more and more references to themselves.
std::vector<NamedShape> References(const Options& options) {
  std::vector<NamedShape> shapes;
  for (uint32_t x = 0; x <= 232; x += options.quick ? 58 : 29) {
    Shape shape = LargeLeaves(233, 0);
    shape.leaf_references = x;
    shapes.push_back({"references", x, shape});
  }
  return shapes;
}

void WriteAll(const Options& options) {
  for (const NamedShape& named : SizesOfFiles(options)) {
    uint64_t segments = 0;
    const std::vector<Times> times = Repeat([&] {
      LabStore store(options.directory);
      const std::unique_ptr<MnemeFile> file = NewFile(store);
      PointerMaker maker(*file);
      file->set_root(Build(maker, named.shape, named.shape.height, {}));
      const Stopwatch watch;
      file->Save();
      segments = file->counters().segments_written;
      return watch.Read();
    });
    Row row("write", "pointer");
    PutShape(row.Put("varied", named.varied).Put("x", named.x), named.shape, 1)
        .Put("segments", segments)
        .Put("us", times);
  }
}

// Loads a file, cold or just written, in each way. The experiments are named PREFIX, PREFIX-eager,
// PREFIX-lazy.
void Load(const std::string& prefix, bool cold, const NamedShape& named, const Options& options) {
  const std::unique_ptr<LabStore> store = StoreWith(named.shape, options);
  LowArena heap;
  uint64_t segments = 0;
  ConversionCounters counters;
  const auto measure = [&](const std::string& experiment, std::string_view system,
                           const auto& load) {
    const std::vector<Times> times = Repeat([&] {
      if (cold) {
        store->MakeCold();
      } else {
        store->Close();
      }
      heap.Reset();
      const std::unique_ptr<MnemeFile> file = MnemeFile::Open(store->server(), kDatabase);
      const Stopwatch watch;
      load(*file);
      const Times read = watch.Read();
      segments = file->counters().segments_read;
      return read;
    });
    Row row(experiment, system);
    PutShape(row.Put("varied", named.varied).Put("x", named.x), named.shape, 1)
        .Put("segments", segments)
        .Put("conversions", counters.references)
        .Put("converted_objects", counters.objects)
        .Put("us", times);
  };
  measure(prefix, "pointer", [&](MnemeFile& file) {
    PointerAccess access(file);
    Traverse(access, file.root(), named.shape.height, {});
  });
  const auto traverse_calls = [&](MnemeFile& file) {
    const auto access = std::make_unique<CallAccess>(file);
    Traverse(*access, file.root(), named.shape.height, {});
  };
  measure(prefix, "call", traverse_calls);
  for (const Scheme scheme : kSchemes) {
    measure(prefix + "-eager", NameOf(scheme), [&](MnemeFile& file) {
      Conversion conversion(file, scheme, heap);
      (void)conversion.LoadEagerly();
      counters = conversion.counters();
    });
  }
  for (const Scheme scheme : kSchemes) {
    measure(prefix + "-lazy", NameOf(scheme), [&](MnemeFile& file) {
      Conversion conversion(file, scheme, heap);
      CheckedAccess access([&](Object* object) { conversion.Convert(object); });
      Traverse(access, conversion.LoadLazily(), named.shape.height, {});
      counters = conversion.counters();
    });
  }
}

void LoadAll(const Options& options) {
  for (const NamedShape& named : SizesOfFiles(options)) Load("load", /*cold=*/true, named, options);
  for (const NamedShape& named : References(options)) Load("load", /*cold=*/true, named, options);
}

// The same with the file in the system's cache: no device is waited for.
void WarmAll(const Options& options) {
  for (const NamedShape& named : SizesOfFiles(options))
    Load("warm", /*cold=*/false, named, options);
}

// Traversals of larger and larger collections of small objects: from the size of the nearest cache
// to far beyond the last one.
void CachesAll(const Options& options) {
  for (int height = 9; height <= 18; height += options.quick ? 3 : 1) {
    Shape shape;
    shape.height = height;
    WorkedTree(shape, options)
        .Measure("caches", "bytes", static_cast<uint32_t>(shape.bytes(1)), {}, /*with_check=*/true);
  }
}

// Marks all that it visits as changed.
class MarkingAccess {
 public:
  using Ref = Object*;
  using Begun = Object*;
  static Object* Begin(Object* object) {
    Tag::NoteChanged(object);
    return object;
  }
  static Object* Child(const Object* object, uint32_t i) {
    return SwizzledAccess::Child(object, i);
  }
  static void DoWork(Object*, const Work&) {}
};

constexpr Scheme kPrepared[] = {Scheme::kInPlace, Scheme::kCopyPointer, Scheme::kCopyCall};

void Prepare(const NamedShape& named, const Options& options) {
  const Shape& shape = named.shape;
  LowArena heap;
  ConversionCounters counters;
  const auto row = [&](const char* state, Scheme scheme, const std::vector<Times>& times) {
    Row line("prepare", NameOf(scheme));
    PutShape(line.Put("state", state).Put("varied", named.varied).Put("x", named.x), shape, 1)
        .Put("prepared",
             counters.prepared_new + counters.prepared_modified + counters.prepared_unmodified)
        .Put("returned", counters.returned)
        .Put("us", times);
  };
  for (const Scheme scheme : kPrepared) {
    row("new", scheme, Repeat([&] {
          LabStore store(options.directory);
          heap.Reset();
          const std::unique_ptr<MnemeFile> file = NewFile(store);
          HeapMaker<true> maker(heap);
          Object* const root = Build(maker, shape, shape.height, {});
          Conversion conversion(*file, scheme, heap);
          const Stopwatch watch;
          conversion.Prepare(root);
          const Times times = watch.Read();
          counters = conversion.counters();
          return times;
        }));
  }
  const std::unique_ptr<LabStore> store = StoreWith(shape, options);
  for (const bool modify : {false, true}) {
    for (const Scheme scheme : kPrepared) {
      row(modify ? "modified" : "unmodified", scheme, Repeat([&] {
            heap.Reset();
            const std::unique_ptr<MnemeFile> file = MnemeFile::Open(store->server(), kDatabase);
            Conversion conversion(*file, scheme, heap);
            Object* const root = conversion.LoadEagerly();
            MarkingAccess mark;
            if (modify) Traverse(mark, root, shape.height, {});
            const Stopwatch watch;
            conversion.Prepare(root);
            const Times times = watch.Read();
            counters = conversion.counters();
            return times;
          }));
    }
  }
}

void PrepareAll(const Options& options) {
  for (const uint32_t x : SlotSizes(options)) Prepare({"slots", x, ShapeOf(x, 0)}, options);
  for (const uint32_t x : ByteSizes(options)) Prepare({"bytes", x, ShapeOf(0, x)}, options);
  for (const NamedShape& named : References(options)) Prepare(named, options);
}

// --- check ---

// A whole session in every scheme: the saved data must be the same, and the data read again, too.
void CheckAll(const Options& options) {
  Shape shape;
  shape.height = options.quick ? 10 : 13;
  shape.node_slots = 4;
  shape.node_bytes = 12;
  shape.leaf_slots = 6;
  shape.leaf_bytes = 40;
  shape.leaf_references = 3;
  const Work work = {.update_slots = 4, .update_bytes = 5, .update_integers = 3};
  const auto row = [&](std::string_view system, const char* loading, uint64_t before,
                       uint64_t after, const ConversionCounters& counters) {
    Row("check", system)
        .Put("loading", loading)
        .Put("before", std::to_string(before))
        .Put("after", std::to_string(after))
        .Put("conversions", counters.references)
        .Put("returned", counters.returned);
  };
  const auto fresh = [&] { return StoreWith(shape, options, {.slots = 3, .bytes = 40}); };
  const auto saved = [&](LabStore& store) {
    store.MakeCold();
    return Checksum(*MnemeFile::Open(store.server(), kDatabase));
  };
  const auto in_store = [&](const char* system, const auto& make_access) {
    const std::unique_ptr<LabStore> store = fresh();
    const uint64_t before = saved(*store);
    {
      store->MakeCold();
      const std::unique_ptr<MnemeFile> file = MnemeFile::Open(store->server(), kDatabase);
      const auto access = make_access(*file);
      Traverse(*access, file->root(), shape.height, work);
      file->Save();
    }
    row(system, "none", before, saved(*store), {});
  };
  in_store("pointer", [](MnemeFile& file) { return std::make_unique<PointerAccess>(file); });
  in_store("call", [](MnemeFile& file) { return std::make_unique<CallAccess>(file); });
  for (const Scheme scheme : kSchemes) {
    for (const bool eager : {true, false}) {
      const std::unique_ptr<LabStore> store = fresh();
      const uint64_t before = saved(*store);
      ConversionCounters counters;
      {
        store->MakeCold();
        LowArena heap;
        const std::unique_ptr<MnemeFile> file = MnemeFile::Open(store->server(), kDatabase);
        Conversion conversion(*file, scheme, heap);
        Object* const root = eager ? conversion.LoadEagerly() : conversion.LoadLazily();
        CheckedAccess access([&](Object* object) { conversion.Convert(object); });
        Traverse(access, root, shape.height, work);
        conversion.Prepare(root);
        file->Save();
        counters = conversion.counters();
      }
      row(NameOf(scheme), eager ? "eager" : "lazy", before, saved(*store), counters);
    }
  }
}

struct Experiment {
  std::string_view name;
  void (*run)(const Options&);
};

constexpr Experiment kExperiments[] = {
    {"create", CreateAll},     {"initialize", InitializeAll},
    {"traverse", TraverseAll}, {"work", WorkAll},
    {"write", WriteAll},       {"prepare", PrepareAll},
    {"load", LoadAll},         {"warm", WarmAll},
    {"caches", CachesAll},     {"check", CheckAll},
};

}  // namespace

std::vector<std::string_view> ExperimentNames() {
  std::vector<std::string_view> names;
  for (const Experiment& experiment : kExperiments) names.push_back(experiment.name);
  return names;
}

bool RunExperiment(std::string_view name, const Options& options) {
  for (const Experiment& experiment : kExperiments) {
    if (experiment.name != name) continue;
    experiment.run(options);
    return true;
  }
  return false;
}

}  // namespace tenure::lab::load_work_save
