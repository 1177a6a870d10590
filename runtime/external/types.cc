// The C side of the library's interfaces to types, to allocation by type, to the objects of the
// heap and to weak references. A type is named by its typecode; -1 is not a type.

#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <set>
#include <string>

#include "abi/entry_points.h"
#include "abi/object_header.h"
#include "base/mutex.h"
#include "gc/raw_array.h"
#include "gc/weak_refs.h"
#include "runtime/exceptions/known_exceptions.h"
#include "runtime/heap/allocation.h"
#include "runtime/heap/other_collector.h"
#include "runtime/heap/stack_roots.h"
#include "runtime/heap/text.h"
#include "runtime/reports/stack_trace.h"
#include "runtime/start/runtime.h"

using namespace tenure::runtime;
using tenure::abi::ObjectHeader;
using tenure::abi::Ref;
using tenure::abi::TypeDescriptor;

namespace {

const TypeDescriptor* TypeOf(int64_t typecode) {
  return typecode < 0 ? nullptr
                      : Runtime::Get().types().ByTypecode(static_cast<uint32_t>(typecode));
}

void Initialize(const TypeDescriptor& type, void* payload) {
  if (type.initialize != nullptr) type.initialize(payload);
}

bool IsFixed(const TypeDescriptor& type) { return (type.flags & tenure::abi::kTypeOpenArray) == 0; }

bool IsUntraced(const TypeDescriptor& type) {
  return (type.flags & tenure::abi::kTypeUntraced) != 0;
}

}  // namespace

extern "C" {

void tn_gc_collect();
void tn_gc_disable();
void tn_gc_enable();

const TypeDescriptor* tn_type_descriptor(int64_t typecode) { return TypeOf(typecode); }

int64_t tn_type_supertype(int64_t typecode) {
  const TypeDescriptor* type = TypeOf(typecode);
  return type == nullptr || type->supertype == nullptr ? -1 : int64_t{type->supertype->typecode};
}

int64_t tn_type_is_subtype(int64_t typecode, int64_t of) {
  const TypeDescriptor* type = TypeOf(typecode);
  const TypeDescriptor* super = TypeOf(of);
  if (type == nullptr || super == nullptr) return 0;
  return typecode == tenure::abi::kTypecodeNull || tenure::abi::IsSubtype(*type, *super) ? 1 : 0;
}

int64_t tn_type_flags(int64_t typecode) {
  const TypeDescriptor* type = TypeOf(typecode);
  return type == nullptr ? 0 : type->flags;
}

int64_t tn_type_dimensions(int64_t typecode) {
  const TypeDescriptor* type = TypeOf(typecode);
  return type == nullptr ? 0 : type->open_dimensions;
}

int64_t tn_type_fingerprint(int64_t typecode) {
  const TypeDescriptor* type = TypeOf(typecode);
  return type == nullptr ? 0 : static_cast<int64_t>(type->fingerprint);
}

int64_t tn_type_by_fingerprint(int64_t fingerprint) {
  const TypeDescriptor* type =
      Runtime::Get().types().ByFingerprint(static_cast<uint64_t>(fingerprint));
  return type == nullptr ? -1 : int64_t{type->typecode};
}

// Null if `code` is not a top-level procedure.
Ref tn_procedure_name(const void* code) {
  const auto* procedure = Runtime::Get().types().ProcedureByCode(code);
  return procedure == nullptr ? nullptr : NewText(procedure->name);
}

// The procedures of the program, in any order; null behind the last.
const void* tn_procedure_at(int64_t index) {
  const auto& program = Runtime::Get().program();
  for (uint32_t u = 0; u < program.unit_count; ++u) {
    const auto& unit = *program.units[u];
    if (index < unit.procedure_count) return unit.procedures[index].code;
    index -= unit.procedure_count;
  }
  return nullptr;
}

int64_t tn_procedure_count() {
  const auto& program = Runtime::Get().program();
  int64_t count = 0;
  for (uint32_t u = 0; u < program.unit_count; ++u) count += program.units[u]->procedure_count;
  return count;
}

// The top-level procedure that begins last before the code address, or at it, its name and its
// file. Null if the address is not in code of Modula-3. The names stay as long as the process.
void tn_procedure_from_pc(const void* pc, const void** code, const char** file, const char** name) {
  static tenure::Mutex mutex;
  static auto* const files = new std::set<std::string>();  // leaked: callers keep the names
  *code = *file = *name = nullptr;
  const StackFrame frame = DescribeProcedure(pc);
  if (frame.file.empty()) return;
  const auto& program = Runtime::Get().program();
  for (uint32_t u = 0; u < program.unit_count; ++u) {
    const auto& unit = *program.units[u];
    for (uint32_t i = 0; i < unit.procedure_count; ++i) {
      const auto& procedure = unit.procedures[i];
      if (procedure.code > pc || procedure.code <= *code) continue;
      *code = procedure.code;
      *name = procedure.name;
    }
  }
  if (*code == nullptr) return;
  const tenure::MutexLock lock(mutex);
  *file = files->insert(frame.file).first->c_str();
}

// Null for a type that has no objects of this kind: open, or untraced.
Ref tn_new_traced(int64_t typecode) {
  const TypeDescriptor* type = TypeOf(typecode);
  if (type == nullptr || typecode < 2 || !IsFixed(*type) || IsUntraced(*type)) return nullptr;
  Ref object = AllocateObject(*type);
  Initialize(*type, object);
  return object;
}

// Null if the type has fewer open dimensions.
Ref tn_new_traced_array(int64_t typecode, const int64_t* lengths, int64_t count) {
  const TypeDescriptor* type = TypeOf(typecode);
  if (type == nullptr || IsFixed(*type) || type->open_dimensions != count) return nullptr;
  Ref object = AllocateArray(*type, lengths);
  Initialize(*type, object);
  return object;
}

void* tn_new_untraced_object(int64_t typecode) {
  const TypeDescriptor* type = TypeOf(typecode);
  if (type == nullptr || !IsUntraced(*type)) return nullptr;
  void* object = tn_allocate_untraced(type, tenure::abi::PayloadBytes(*type, nullptr));
  Initialize(*type, object);
  return object;
}

Ref tn_clone(Ref object) {
  const TypeDescriptor& type = *ObjectHeader::Of(object)->type();
  const size_t bytes = tenure::abi::PayloadBytes(type, object);
  Ref copy = IsFixed(type) ? AllocateObject(type)
                           : AllocateArray(type, reinterpret_cast<const int64_t*>(
                                                     tenure::abi::OpenLengths(type, object)));
  // A fresh object needs no barrier.
  std::memcpy(copy, object, bytes);
  return copy;
}

// Calls visit(typecode, object, bytes) for each object of the transient heap, after a collection,
// until visit returns 0. No object moves meanwhile.
void tn_visit_objects(int64_t (*visit)(void* context, int64_t typecode, Ref object, int64_t bytes),
                      void* context) {
  tenure::gc::RawArray<Ref> objects;
  if (OtherCollector* other = LinkedCollector()) {
    tn_gc_collect();
    tn_gc_disable();
    other->VisitObjects(
        [](void* list, Ref object) { static_cast<tenure::gc::RawArray<Ref>*>(list)->Push(object); },
        &objects);
  } else {
    tenure::gc::Heap& heap = Runtime::Get().heap();
    ClearDeadStack();
    // Pages on which other threads allocate can be walked only while these are stopped. They stay
    // stopped between the collection and the walk: another collection could leave dead objects for
    // later whose targets are gone.
    heap.StopWorld();
    heap.CollectMajor();
    heap.DisableCollections();
    heap.ForEachPage([&](void* page, const tenure::gc::PageDescriptor&) {
      heap.ForEachObjectOnPage(page, [&](Ref object) { objects.Push(object); });
    });
    heap.ResumeWorld();
  }
  for (Ref object : objects) {
    const TypeDescriptor& type = *ObjectHeader::Of(object)->type();
    const size_t bytes = tenure::abi::PayloadBytes(type, object);
    if (visit(context, type.typecode, object, static_cast<int64_t>(bytes)) == 0) break;
  }
  tn_gc_enable();
}

// --- Weak references. A clean-up's cookie is its procedure. ---

int64_t tn_weak_register(Ref object, int64_t cookie) {
  if (OtherCollector* other = LinkedCollector()) {
    return static_cast<int64_t>(
        other->RegisterWeak(object, static_cast<uint64_t>(cookie), cookie != 0));
  }
  return static_cast<int64_t>(Runtime::Get().heap().weak_refs().Register(
      object, static_cast<uint64_t>(cookie), cookie != 0));
}

Ref tn_weak_get(int64_t id) {
  if (OtherCollector* other = LinkedCollector()) {
    return other->WeakTarget(static_cast<uint64_t>(id));
  }
  return Runtime::Get().heap().weak_refs().Get(static_cast<uint64_t>(id));
}

// The object of the oldest waiting clean-up, or null.
Ref tn_weak_take_cleanup(int64_t* id, int64_t* cookie) {
  tenure::gc::WeakRefs::Cleanup cleanup;
  OtherCollector* other = LinkedCollector();
  if (other != nullptr ? !other->TakeCleanup(&cleanup)
                       : !Runtime::Get().heap().weak_refs().TakeCleanup(&cleanup)) {
    return nullptr;
  }
  *id = static_cast<int64_t>(cleanup.id);
  *cookie = static_cast<int64_t>(cleanup.cookie);
  return cleanup.object;
}

const void* tn_runtime_error_descriptor() { return known_exceptions::RuntimeError(); }

}  // extern "C"
