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

uint64_t FillerFor(const Region& region) {
  return abi::ObjectHeader::ForFiller(static_cast<uint32_t>(region.bytes()));
}

}  // namespace

void Region::Fill(PersistentSpace* governor) const {
  if (pointer == limit) return;
  const uint64_t filler = FillerFor(*this);
  // Mostly it is there already where the page may be protected.
  if (*reinterpret_cast<uint64_t*>(pointer) != filler) StoreWord(governor, pointer, filler);
}

void Region::Close(PersistentSpace* governor) {
  Fill(governor);
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

void AllocationBuffer::MakeWalkable() const {
  Load().Fill(governor);
  hidden.Fill();
  overflow.Fill();
}

void AllocationBuffer::Suspend() {
  hidden.Close();
  overflow.Close();
  suspended = true;
  const Region region = Load();
  if (region.bytes() == 0) return;
  begun_header = *reinterpret_cast<uint64_t*>(region.pointer);
  region.Fill(governor);
}

void AllocationBuffer::Resume(PersistentSpace* space) {
  const Region region = Load();
  const bool governed = space != nullptr && region.bytes() > 0 && space->IsGoverned(region.pointer);
  governor = governed ? space : nullptr;
  suspended = false;
  if (region.bytes() == 0 || begun_header == FillerFor(region)) return;
  StoreWord(governor, region.pointer, begun_header);
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

}  // namespace tenure::gc
