#include "lab/object_faults/experiments.h"

#include <algorithm>
#include <cstdint>
#include <memory>
#include <utility>

#include "lab/object_faults/image.h"
#include "lab/object_faults/parts.h"
#include "lab/support/fail.h"
#include "lab/support/lab_store.h"
#include "lab/support/measure.h"

namespace tenure::lab::object_faults {

using mneme::MnemeFile;

namespace {

constexpr const char* kDatabase = "parts";
constexpr uint32_t kObjectsInLogical = 255;
constexpr int kIterations = 10;  // the first is cold
constexpr int kLookups = 1000;
constexpr int64_t kHops = 7;

struct System {
  std::string name;
  Image::Policy policy;
  bool resident;  // all is loaded before
};

std::vector<System> Systems() {
  std::vector<System> systems = {
      {"non-persistent", {Detection::kNone}, true}, {"ID-resident", {Detection::kTagged}, true},
      {"FB-resident", {Detection::kBlocks}, true},  {"PF-resident", {Detection::kPages}, true},
      {"FC-resident", {Detection::kChecked}, true},
  };
  struct Scheme {
    const char* name;
    Detection detection;
    bool eliminate;
  };
  constexpr Scheme kSchemes[] = {{"ID", Detection::kTagged, true},
                                 {"FB", Detection::kBlocks, true},
                                 {"PF", Detection::kPages, true},
                                 {"FB-lazy", Detection::kBlocks, false},
                                 {"FC", Detection::kChecked, true}};
  for (const Scheme& scheme : kSchemes) {
    for (const Granule granule : {Granule::kObject, Granule::kLogical, Granule::kPhysical}) {
      systems.push_back({std::string(scheme.name) + "-" + std::string(NameOf(granule)),
                         {scheme.detection, granule, scheme.eliminate},
                         false});
    }
  }
  return systems;
}

// The operations of a program with one detection: its sends are compiled for it.
template <Detection kDetection>
struct Program {
  static Slot Find(Image& image, uint32_t id) {
    return image.Send<kDetection>(image.Root(), Message::kFind, id);
  }
  static void Lookup(Image& image, Random& random, uint32_t parts) {
    for (int i = 0; i < kLookups; ++i) {
      (void)image.Send<kDetection>(Find(image, random.Draw(parts)), Message::kUse, 0);
    }
  }
  static void Traverse(Image& image, uint32_t part) {
    (void)image.Send<kDetection>(Find(image, part), Message::kVisit, kHops);
  }
};

void Lookup(Detection detection, Image& image, Random& random, uint32_t parts) {
  switch (detection) {
    case Detection::kNone: return Program<Detection::kNone>::Lookup(image, random, parts);
    case Detection::kTagged: return Program<Detection::kTagged>::Lookup(image, random, parts);
    case Detection::kBlocks: return Program<Detection::kBlocks>::Lookup(image, random, parts);
    case Detection::kPages: return Program<Detection::kPages>::Lookup(image, random, parts);
    case Detection::kChecked: return Program<Detection::kChecked>::Lookup(image, random, parts);
  }
}

void Traverse(Detection detection, Image& image, uint32_t part) {
  switch (detection) {
    case Detection::kNone: return Program<Detection::kNone>::Traverse(image, part);
    case Detection::kTagged: return Program<Detection::kTagged>::Traverse(image, part);
    case Detection::kBlocks: return Program<Detection::kBlocks>::Traverse(image, part);
    case Detection::kPages: return Program<Detection::kPages>::Traverse(image, part);
    case Detection::kChecked: return Program<Detection::kChecked>::Traverse(image, part);
  }
}

// Random numbers of an iteration: the same in all systems.
constexpr uint64_t SeedOf(int iteration) { return 1000 + static_cast<uint64_t>(iteration); }

Row& PutCounters(Row& row, const ImageCounters& now, const ImageCounters& before,
                 const mneme::FileCounters& file, const mneme::FileCounters& file_before) {
  return row.Put("faults", now.faults - before.faults)
      .Put("resident", now.resident - before.resident)
      .Put("translations", now.translations - before.translations)
      .Put("indirections", now.indirections - before.indirections)
      .Put("traps", now.traps - before.traps)
      .Put("protections", now.protections - before.protections)
      .Put("blocks", now.blocks - before.blocks)
      .Put("scanned", now.scanned - before.scanned)
      .Put("bypassed", now.bypassed - before.bypassed)
      .Put("segments", file.segments_read - file_before.segments_read)
      .Put("swizzling", now.swizzling - before.swizzling)
      .Put("reading", file.reading - file_before.reading);
}

// A program with a cold file and nothing in memory.
struct Session {
  Session(LabStore& store, const System& system) {
    store.MakeCold();
    file = MnemeFile::Open(store.server(), kDatabase);
    image = std::make_unique<Image>(*file, system.policy);
    if (system.resident) image->LoadAll();
    // The schema and the objects that a program needs to begin are there before (Hosking & Moss
    // 1993, 5.2).
    (void)image->Root();
  }
  std::unique_ptr<MnemeFile> file;
  std::unique_ptr<Image> image;
};

// One run: ten iterations, each with other parts.
void Iterate(const char* experiment, const System& system, LabStore& store, int run,
             const Options& options) {
  const Session session(store, system);
  Image& image = *session.image;
  for (int i = 0; i < kIterations; ++i) {
    const ImageCounters before = image.counters();
    const mneme::FileCounters file_before = image.file_counters();
    Random random(SeedOf(i));
    image.seen = 0;
    const Stopwatch watch;
    if (std::string_view(experiment) == "lookup") {
      Lookup(system.policy.detection, image, random, options.parts);
    } else {
      Traverse(system.policy.detection, image, random.Draw(options.parts));
    }
    const Times times = watch.Read();
    Row row(experiment, system.name);
    PutCounters(row.Put("run", static_cast<uint64_t>(run))
                    .Put("iteration", static_cast<uint64_t>(i))
                    .Put("sum", image.seen),
                image.counters(), before, image.file_counters(), file_before)
        .Put("us", std::vector<Times>{times});
  }
}

// Repeats of the last traversal: more and more of them in one measurement.
void RunHot(const System& system, LabStore& store, const Options& options) {
  const Session session(store, system);
  Image& image = *session.image;
  Detection detection = system.policy.detection;
  for (int i = 0; i < kIterations; ++i) {
    Random random(SeedOf(i));
    Traverse(detection, image, random.Draw(options.parts));
  }
  const uint32_t part = Random(SeedOf(kIterations - 1)).Draw(options.parts);
  for (uint64_t repeats = 50; repeats <= 250; repeats += 50) {
    std::vector<Times> times;
    const ImageCounters before = image.counters();
    image.seen = 0;
    for (int run = 0; run < (options.quick ? 3 : 9); ++run) {
      const Stopwatch watch;
      for (uint64_t i = 0; i < repeats; ++i) Traverse(detection, image, part);
      times.push_back(watch.Read());
    }
    Row row("hot", system.name);
    PutCounters(row.Put("x", repeats).Put("sum", image.seen), image.counters(), before,
                image.file_counters(), image.file_counters())
        .Put("us", times);
  }
}

}  // namespace

std::vector<std::string_view> ExperimentNames() { return {"lookup", "traversal", "hot"}; }

std::vector<std::string> SystemNames() {
  std::vector<std::string> names;
  for (const System& system : Systems()) names.push_back(system.name);
  return names;
}

bool RunExperiment(std::string_view name, const Options& options) {
  const std::vector<std::string_view> names = ExperimentNames();
  const auto found = std::find(names.begin(), names.end(), name);
  if (found == names.end()) return false;
  LabStore store(options.directory);
  {
    const std::unique_ptr<MnemeFile> file =
        MnemeFile::Create(store.server(), kDatabase, kObjectsInLogical);
    MakeParts(*file, {.parts = options.parts});
  }
  const std::vector<System> systems = Systems();
  const int runs = options.quick ? 3 : 9;
  // One run of each system after the other: what disturbs the machine for a while disturbs all.
  for (int run = 0; run < (name == "hot" ? 1 : runs); ++run) {
    for (const System& system : systems) {
      if (!options.system.empty() && system.name != options.system) continue;
      if (name == "hot") {
        RunHot(system, store, options);
      } else {
        Iterate(found->data(), system, store, run, options);
      }
    }
  }
  return true;
}

}  // namespace tenure::lab::object_faults
