// Unfinished files, which signals that end the process remove.
#pragma once

#include <sys/types.h>

#include <string>

namespace tenure {

// While this object exists, signals that end the process (SIGINT, SIGTERM, SIGHUP, SIGPIPE) remove
// the file, or the directory with everything in it, if these signals are handled by HandleEnd or by
// a handler that calls RemoveAll. A child made by fork never removes what its parent has made.
class RemovedBySignals {
 public:
  explicit RemovedBySignals(const std::string& path);
  ~RemovedBySignals();
  RemovedBySignals(const RemovedBySignals&) = delete;
  RemovedBySignals& operator=(const RemovedBySignals&) = delete;

  // What a signal does: removes the paths of all these objects, and ends the process by the signal.
  // Signals that are ignored, or that have a handler, stay so.
  static void HandleEnd();
  // For handlers. Processes of all EndedBySignals end first, since they may make such files.
  static void RemoveAll();

 private:
  int place_ = -1;  // in the table of paths; negative: there was no room
};

// While this object exists, these signals also end the processes of a group, whose leader is a
// child of this process, and wait for them: SIGTERM, and after two seconds SIGKILL.
class EndedBySignals {
 public:
  explicit EndedBySignals(pid_t leader);
  ~EndedBySignals();
  EndedBySignals(const EndedBySignals&) = delete;
  EndedBySignals& operator=(const EndedBySignals&) = delete;

 private:
  int place_ = -1;  // in the table of groups; negative: there was no room
};

}  // namespace tenure
