// The reports of a session's commits: the last one, and what counters said when it was made, from
// which the next one tells the difference.
#pragma once

#include <string>
#include <utility>

#include "stabilize/state/commit_report.h"
#include "stabilize/state/session_options.h"

namespace tenure::stabilize {

// Needs the session's lock.
class CommitReports {
 public:
  explicit CommitReports(bool with_details) : with_details_(with_details) {}

  // Whether reports tell by which types and references objects were reached, which takes time.
  bool with_details() const { return with_details_; }
  void SetDetails(bool with) { with_details_ = with; }
  // How an object is reached from this offset in an object of the type, for the details; nothing
  // without these.
  CapturedBy Capture(const abi::TypeDescriptor& type, size_t offset) const {
    if (!with_details_) return {};
    const size_t elements = abi::ElementsOffset(type);
    if ((type.flags & abi::kTypeOpenArray) == 0 || offset < elements) return {&type, offset, false};
    return {&type, (offset - elements) % type.element_bytes, true};
  }

  // Fills in what the counters say of the time since the last report, and keeps the report.
  void Complete(CommitReport report, const SessionStatistics& now) {
    report.number = last_.number + 1;
    report.moved_home = now.objects_moved_home - counted_.objects_moved_home;
    report.write_faults = now.write_faults - counted_.write_faults;
    report.twins_made = now.twins_made - counted_.twins_made;
    report.twins_compared_early = now.twins_compared_early - counted_.twins_compared_early;
    report.barrier_calls = now.barrier_calls - counted_.barrier_calls;
    report.blocks_marked = now.blocks_marked - counted_.blocks_marked;
    report.blocks_copied = now.blocks_copied - counted_.blocks_copied;
    report.missed_barriers = now.missed_barriers - counted_.missed_barriers;
    counted_ = now;
    last_ = std::move(report);
  }
  // Of the last commit; empty before the first one.
  std::string LastText() const { return last_.number == 0 ? "" : TextOf(last_); }

 private:
  CommitReport last_;
  SessionStatistics counted_;
  bool with_details_;
};

}  // namespace tenure::stabilize
