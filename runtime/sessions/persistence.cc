#include "runtime/sessions/persistence.h"

#include <atomic>

#include "runtime/start/exit_actions.h"
#include "runtime/start/runtime.h"
#include "runtime/threads/mutator.h"
#include "stabilize/frames/block_table.h"
#include "stabilize/frames/fault_tiers.h"
#include "stabilize/frames/mapping_quota.h"
#include "stabilize/state/session_options.h"

namespace tenure::runtime {
namespace {

std::atomic<stabilize::Session*> the_session{nullptr};
const SessionActions* actions = nullptr;  // when there is a session
std::atomic<bool> session_is_parents{false};

// The last exit action: the others may still use databases.
void ShutDown() {
  // In a forked child the databases are the parent's.
  if (ExistingSession() != nullptr && !InForkedChild()) actions->shut_down();
}

}  // namespace

uint64_t OwnTransaction() {
  const Mutator* const mutator = Mutator::Current();
  return mutator != nullptr ? mutator->transaction : 0;
}

Status StartPersistence() {
  if (const uint64_t mappings = Runtime::Get().options().mappings; mappings != 0) {
    stabilize::MappingQuota::OfProcess().SetLimit(mappings);
  }
  if (Runtime::Get().options().fault_tier == stabilize::FaultTier::kUserfaultfd) {
    TN_RETURN_IF_ERROR(stabilize::ProbeUserfaultfd());
  }
  if (Runtime::Get().program().barriers != abi::StoreBarriers::kTrap) {
    TN_RETURN_IF_ERROR(stabilize::BlockTable::Reserve());
  }
  if (stabilize::MarksBlocks(Runtime::Get().options().recovery) &&
      Runtime::Get().program().barriers != abi::StoreBarriers::kSoftware) {
    return Status(StatusCode::kInvalidArgument,
                  "@M3recovery=sd and sl need a program built with --barriers=software");
  }
  RegisterExitAction(ShutDown);
  return Status::Ok();
}

void SetSession(stabilize::Session& session, const SessionActions& session_actions) {
  actions = &session_actions;
  the_session = &session;
}

bool InForkedChild() { return session_is_parents.load(std::memory_order_relaxed); }

stabilize::Session* ExistingSession() { return the_session.load(); }

void PersistenceBeforeFork() {
  if (ExistingSession() != nullptr) actions->before_fork();
}

void PersistenceAfterForkInParent() {
  if (ExistingSession() != nullptr) actions->after_fork_in_parent();
}

void PersistenceAfterForkInChild() {
  session_is_parents = ExistingSession() != nullptr;
  if (ExistingSession() != nullptr) actions->after_fork_in_child();
}

bool GiveUpMappings() { return ExistingSession() != nullptr && actions->give_up_mappings(); }

void FinishAbortedTransaction() {
  if (ExistingSession() != nullptr && !InForkedChild()) actions->finish_abort();
}

}  // namespace tenure::runtime
