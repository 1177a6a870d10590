// Descriptors that a forked child closes.
#pragma once

namespace tenure::store {

// A forked child would keep its parent's connections open beyond the parent's death: it closes
// those noted here at once.
void NoteSocket(int socket);
void CloseSocket(int socket);

}  // namespace tenure::store
