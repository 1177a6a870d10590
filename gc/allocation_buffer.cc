#include "gc/allocation_buffer.h"

#include "abi/object_header.h"

namespace tenure::gc {

namespace {

void StoreWord(PersistentSpace* governor, char* at, uint64_t word) {
  if (governor != nullptr) {
    governor->StoreWord(at, word);
  } else {
    *reinterpret_cast<uint64_t*>(at) = word;
  }
}

}  // namespace

void Region::Close(PersistentSpace* governor) {
  if (pointer < limit) {
    StoreWord(governor, pointer, abi::ObjectHeader::ForFiller(static_cast<uint32_t>(bytes())));
  }
  pointer = limit = nullptr;
}

void AllocationBuffer::Retire() {
  Region region = Load();
  region.Close(governor);
  Store(region);
  governor = nullptr;
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
  begun_header = *reinterpret_cast<uint64_t*>(region.pointer);
  if (begun_header != 0) StoreWord(governor, region.pointer, 0);
  if (region.bytes() < abi::kHeaderBytes + sizeof(uint64_t)) return;
  char* const length = region.pointer + abi::kHeaderBytes;
  begun_length = *reinterpret_cast<uint64_t*>(length);
  if (begun_length != 0) StoreWord(governor, length, 0);
}

void AllocationBuffer::Resume(PersistentSpace* space) {
  const Region region = Load();
  const bool governed = space != nullptr && region.bytes() > 0 && space->IsGoverned(region.pointer);
  governor = governed ? space : nullptr;
  if (begun_header != 0) StoreWord(governor, region.pointer, begun_header);
  if (begun_length != 0) StoreWord(governor, region.pointer + abi::kHeaderBytes, begun_length);
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
