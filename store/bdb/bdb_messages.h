// Berkeley DB's messages, which say more than its error codes do.
#pragma once

#include <string>

#include "base/result.h"

struct __db_env;

namespace tenure::store {

// For DB_ENV::set_errcall: keeps the message if the thread has kept none since StartListening.
void KeepMessage(const __db_env* environment, const char* prefix, const char* message);
// Call before an operation whose failure is to be explained. All functions here concern the calling
// thread only.
void StartListening();
// The first message of the latest trouble; empty: none.
const char* KeptMessage();
void ForgetMessage();

// Whether Berkeley DB's error is about the bytes that it read and not about the system.
bool SpeaksOfDamage(int code, const char* message);
// Whether an error of an opening has its cause outside the files' contents. Looks at the kept
// message and at LastIoError.
bool IsOfSystem(int code);
// kCorrupt, for a file that Berkeley DB cannot read: "`path` is damaged (...)".
Status Damaged(int code, const std::string& path);

}  // namespace tenure::store
