// Which parts of a frame the program has stored to, in programs with store barriers
// (docs/stabilization.md, "Store barriers").
//
// With software barriers a frame that compiled code stores to is *left open* by the commit: it
// stays writable, and code behind each store marks the block that was stored to. A marked frame
// needs no twin; an abort reads it again. Frames that need care have twins and traps as without
// barriers (Frame::by_trap).
#pragma once

#include <cstddef>

#include "stabilize/frames/store_names.h"
#include "stabilize/state/session_state.h"

namespace tenure::stabilize {

// A trap or a barrier has opened the frame for writing; its twin is the image before.
void NoteOpened(Database& database, PageId page);
// The frame is protected, or read and protected.
void NoteProtected(Database& database, PageId page);
// The frame's memory is dropped, with its marks.
void NoteDropped(Database& database, PageId page);

// Protects a frame that was left open. KeepByTrap: for good, so that it is not left open again.
Status Protect(Database& database, PageId page);
Status KeepByTrap(Database& database, PageId page);

// Marks the blocks of [address, address + bytes), which lie on one page. With the policies sd and
// sl these are blocks of @M3block. With sd each keeps its former contents, if `before` has the
// contents of the bytes before the first store to the block.
void MarkBlocks(Database& database, PageId page, const void* address, size_t bytes,
                const void* before = nullptr);

// From now on the barrier behind each store to the frame, which was left open, calls the run time.
void CallAtStores(Database& database, PageId page);

// At a commit: makes the frame clean. True: it is left open, and its twin is not needed. False: the
// caller protects it.
bool LeaveOpen(SessionState& session, Database& database, PageId page);

// Whether objects of the type have TRANSIENT or untraced fields: such an object would not be the
// same if its page was read again.
bool HasUnkeptSlots(const abi::TypeDescriptor& type);

// --- @M3paranoidbarriers ---

// Notes a store that had a barrier.
void NoteStore(Database& database, PageId page, const void* address, size_t bytes);
// Finds the words of dirty frames that differ from the twins and were stored to without a barrier.
// A thread may have been stopped between a store and its barrier, so a word is reported only at the
// end of the process, if it has got no barrier by then.
void FindMissedBarriers(SessionState& session);
void ReportMissedBarriers(SessionState& session);
// Forgets the notes: the dirty frames have been accepted or restored.
void ForgetStores(SessionState& session);

}  // namespace tenure::stabilize
