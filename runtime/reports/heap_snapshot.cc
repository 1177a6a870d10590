#include "runtime/reports/heap_snapshot.h"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>

#include "gc/object_visitor.h"
#include "runtime/heap/other_collector.h"
#include "runtime/heap/stack_roots.h"
#include "runtime/start/runtime.h"
#include "runtime/threads/mutator.h"

namespace tenure::runtime {
namespace {

using abi::Ref;

// While the world is stopped nothing here calls malloc or stdio: a stopped thread may hold their
// locks.
class Output {
 public:
  explicit Output(int file) : file_(file) {}

  void Word(const char* word) {
    for (; *word != '\0'; ++word) Put(*word == '\n' ? ' ' : *word);
  }
  void Number(uint64_t number) {
    char digits[16];
    int count = 0;
    do {
      digits[count++] = "0123456789abcdef"[number & 15];
      number >>= 4;
    } while (number != 0);
    Put(' ');
    while (count > 0) Put(digits[--count]);
  }
  void Object(Ref object) { Number(reinterpret_cast<uintptr_t>(object)); }
  void EndLine() { Put('\n'); }
  // 0, or the number of the error.
  int Finish() {
    Flush();
    return error_;
  }

 private:
  void Put(char c) {
    if (used_ == sizeof buffer_) Flush();
    buffer_[used_++] = c;
  }
  void Flush() {
    for (size_t at = 0; at < used_ && error_ == 0;) {
      const ssize_t count = write(file_, buffer_ + at, used_ - at);
      if (count < 0 && errno != EINTR) error_ = errno;
      if (count > 0) at += static_cast<size_t>(count);
    }
    used_ = 0;
  }

  const int file_;
  int error_ = 0;
  size_t used_ = 0;
  char buffer_[16384];
};

class Globals final : public gc::ExactRootVisitor {
 public:
  Globals(Output& output, const gc::Heap& heap) : output_(output), heap_(heap) {}
  const char* unit = "";
  void VisitSlot(Ref* slot) override {
    if (!heap_.Contains(*slot)) return;
    output_.Word("g");
    output_.Object(*slot);
    output_.Word(" ");
    output_.Word(unit);
    output_.EndLine();
  }

 private:
  Output& output_;
  const gc::Heap& heap_;
};

class StackWords final : public gc::AmbiguousRootVisitor {
 public:
  StackWords(Output& output, const gc::Heap& heap) : output_(output), heap_(heap) {}
  uint32_t thread = 0;
  void VisitWords(const void* begin, const void* end) override {
    auto* word = reinterpret_cast<const uintptr_t*>((reinterpret_cast<uintptr_t>(begin) + 7) &
                                                    ~uintptr_t{7});
    for (; word + 1 <= end; ++word) VisitWord(*word);
  }
  void VisitWord(uintptr_t word) override {
    const Ref object = heap_.ObjectContaining(reinterpret_cast<const void*>(word));
    if (object == nullptr) return;
    output_.Word("s");
    output_.Object(object);
    output_.Number(thread);
    output_.EndLine();
  }

 private:
  Output& output_;
  const gc::Heap& heap_;
};

void WriteAll(Output& output, gc::Heap& heap) {
  const Runtime& runtime = Runtime::Get();
  output.Word("tenure heap 1");
  output.EndLine();
  for (uint32_t code = 0; code < runtime.types().type_count(); ++code) {
    const abi::TypeDescriptor* type = runtime.types().ByTypecode(code);
    if (type == nullptr) continue;
    output.Word("t");
    output.Number(code);
    output.Word(" ");
    output.Word(type->name);
    output.EndLine();
  }
  Globals globals(output, heap);
  for (uint32_t u = 0; u < runtime.program().unit_count; ++u) {
    const abi::UnitInfo& unit = *runtime.program().units[u];
    globals.unit = unit.name;
    for (uint32_t r = 0; r < unit.root_count; ++r) {
      globals.VisitRuns(unit.roots[r].address, unit.roots[r].runs, unit.roots[r].run_count);
    }
  }
  globals.unit = "Thread";
  StackWords words(output, heap);
  Mutator::ForEach([&](Mutator& mutator) {
    globals.VisitSlot(&mutator.thread_object);
    words.thread = mutator.id();
    VisitStack(mutator, words);
  });
  heap.weak_refs().VisitQueue([&](Ref* slot) {
    output.Word("w");
    output.Object(*slot);
    output.EndLine();
  });
  heap.ForEachPage([&](void* page, const gc::PageDescriptor&) {
    heap.ForEachObjectOnPage(page, [&](Ref object) {
      const abi::TypeDescriptor& type = *abi::ObjectHeader::Of(object)->type();
      output.Word("o");
      output.Object(object);
      output.Number(type.typecode);
      output.Number(gc::ObjectBytes(object));
      gc::ForEachTracedSlot(type, object, [&](Ref* slot) {
        if (heap.Contains(*slot)) output.Object(*slot);
      });
      output.EndLine();
    });
  });
  output.Word("end");
  output.EndLine();
}

}  // namespace

Status WriteHeapSnapshot(const char* path) {
  if (LinkedCollector() != nullptr) {
    return Status(StatusCode::kInvalidArgument, "another collector makes no snapshots");
  }
  const int file = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
  if (file < 0) return Status(StatusCode::kIo, strerror(errno), errno);
  gc::Heap& heap = Runtime::Get().heap();
  heap.CollectMajor();
  Output output(file);
  heap.StopWorld();
  heap.RetireBuffer(Mutator::Current()->state());
  WriteAll(output, heap);
  heap.ResumeWorld();
  int error = output.Finish();
  if (close(file) != 0 && error == 0) error = errno;
  return error == 0 ? Status::Ok() : Status(StatusCode::kIo, strerror(error), error);
}

void WriteHeapSnapshotAtExit() {
  const char* path = Runtime::Get().options().heap_snapshot.c_str();
  const Status status = WriteHeapSnapshot(path);
  if (!status.ok()) {
    std::fprintf(stderr, "*** @M3heapsnapshot=%s: %s\n", path, status.text());
  }
}

}  // namespace tenure::runtime
