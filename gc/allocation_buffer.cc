#include "gc/allocation_buffer.h"

#include "abi/object_header.h"

namespace tenure::gc {

void Region::Close() {
  if (pointer < limit) {
    reinterpret_cast<abi::ObjectHeader*>(pointer)->word =
        abi::ObjectHeader::ForFiller(static_cast<uint32_t>(bytes()));
  }
  pointer = limit = nullptr;
}

void AllocationBuffer::Retire() {
  Region region = Load();
  region.Close();
  Store(region);
  hidden.Close();
  overflow.Close();
}

void AllocationBuffer::Suspend() {
  hidden.Close();
  overflow.Close();
  suspended = true;
  const Region region = Load();
  begun_header = begun_length = 0;
  if (region.bytes() == 0) return;
  auto* header = reinterpret_cast<abi::ObjectHeader*>(region.pointer);
  begun_header = header->word;
  header->word = 0;
  if (region.bytes() < abi::kHeaderBytes + sizeof(uint64_t)) return;
  auto* length = reinterpret_cast<uint64_t*>(region.pointer + abi::kHeaderBytes);
  begun_length = *length;
  *length = 0;
}

void AllocationBuffer::Resume() {
  if (begun_header != 0) {
    reinterpret_cast<abi::ObjectHeader*>(Load().pointer)->word = begun_header;
  }
  if (begun_length != 0) {
    *reinterpret_cast<uint64_t*>(Load().pointer + abi::kHeaderBytes) = begun_length;
  }
  begun_header = begun_length = 0;
  suspended = false;
}

void AllocationBuffers::Add(abi::MutatorState& state) {
  state = {nullptr, nullptr};
  AllocationBuffer buffer;
  buffer.state = &state;
  buffers_.Push(buffer);
}

bool AllocationBuffers::Remove(abi::MutatorState& state) {
  for (size_t i = 0; i < buffers_.size(); ++i) {
    if (buffers_[i].state != &state) continue;
    buffers_[i].Retire();
    buffers_.RemoveUnordered(i);
    return true;
  }
  return false;
}

AllocationBuffer* AllocationBuffers::Find(const abi::MutatorState& state) {
  for (AllocationBuffer& buffer : buffers_) {
    if (buffer.state == &state) return &buffer;
  }
  return nullptr;
}

void AllocationBuffers::RetireAll() {
  for (AllocationBuffer& buffer : buffers_) {
    if (!buffer.suspended) buffer.Retire();
  }
}

char* AllocationBuffers::LimitOfBufferAt(const char* pointer) const {
  for (const AllocationBuffer& buffer : buffers_) {
    for (const Region& region : {buffer.Load(), buffer.hidden, buffer.overflow}) {
      if (region.pointer == pointer && region.pointer < region.limit) return region.limit;
    }
  }
  return nullptr;
}

}  // namespace tenure::gc
