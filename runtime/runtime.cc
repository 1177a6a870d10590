#include "runtime/runtime.h"

#include <new>
#include <utility>

#include "runtime/mutator.h"
#include "runtime/raises_table.h"
#include "runtime/stack_limit.h"

namespace tenure::runtime {
namespace {

bool IsTypeDescriptor(const abi::TypeDescriptor* type) {
  return Runtime::Get().types().IsDescriptor(type);
}

}  // namespace

Runtime* Runtime::instance_ = nullptr;

Status Runtime::Create(const abi::ProgramInfo& program, const Options& options) {
  TN_CHECK(instance_ == nullptr);
  if (program.abi_version != abi::kAbiVersion) {
    return Status(StatusCode::kFormat,
                  "the program was compiled for another version of the run time",
                  program.abi_version);
  }
  BoundMainStack();
  instance_ = new Runtime(program, options);
  InstallRaisesTable(program);

  gc::HeapOptions heap_options;
  heap_options.max_heap_bytes = options.heap_bytes_max;
  heap_options.stress_interval = options.gc_stress_interval;
  heap_options.paranoid = options.gc_paranoid;
  heap_options.trace = options.gc_trace;
  heap_options.is_type_descriptor = IsTypeDescriptor;
  Result<std::unique_ptr<gc::Heap>> heap = gc::Heap::Create(heap_options, instance_->roots_);
  if (!heap.ok()) return heap.status();
  instance_->heap_ = std::move(*heap);

  Result<Mutator*> mutator = Mutator::Attach();
  if (!mutator.ok()) return mutator.status();
  return instance_->heap_->AddMutator((*mutator)->state());
}

}  // namespace tenure::runtime
