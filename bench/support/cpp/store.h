// Namespace store: the functions that every store offers to the record programs. Each function ends
// the program with a message on failure. Each benchmark declares how records are put and got
// (oo7/peers/records.h, oo1/peers/records.h).
#pragma once

namespace store {

// Creates the store at `path`, a folder or file that does not exist, with its tables, and opens it.
void Create(const char* path);
void Open(const char* path);
void Close();
// One transaction at a time. Without `write` the transaction only reads.
void Begin(bool write);
void Commit();  // durable

}  // namespace store
