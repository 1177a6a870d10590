// Namespace store: what programs of records ask of every store. Each function ends the program
// with a message when it fails. How records are put and got, the benchmark says (oo7_records,
// oo1_cpp/records.h).
#pragma once

namespace store {

// There is nothing at `path`, a folder or file; makes it, with its tables, and opens it.
void Create(const char* path);
void Open(const char* path);
void Close();
// One transaction at a time. Without `write` it only reads.
void Begin(bool write);
void Commit();  // durable

}  // namespace store
