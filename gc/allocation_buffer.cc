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
  // On a page that may be protected, the filler is usually there already.
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

Region AllocationBuffer::Abandon() {
  const Region rest = Load();
  Store({});
  governor = nullptr;
  return rest;
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
  AllocationBuffer* const buffer = Find(state);
  if (buffer == nullptr) return false;
  buffer->Retire();
  buffers_.RemoveUnordered(static_cast<size_t>(buffer - buffers_.begin()));
  return true;
}

AllocationBuffer* AllocationBuffers::Find(const abi::MutatorState& state) {
  // The index at which this thread last found its own buffer. The buffer moves only when other
  // threads end.
  static constinit thread_local size_t hint = 0;
  if (hint < buffers_.size() && buffers_[hint].state == &state) return &buffers_[hint];
  // One that was added of late is near the end.
  for (size_t i = buffers_.size(); i > 0; --i) {
    if (buffers_[i - 1].state != &state) continue;
    hint = i - 1;
    return &buffers_[i - 1];
  }
  return nullptr;
}

void AllocationBuffers::RetireAll() {
  for (AllocationBuffer& buffer : buffers_) {
    if (!buffer.suspended) buffer.Retire();
  }
}

}  // namespace tenure::gc
