// The order in which the bodies of modules run (docs/language.md 22.2).
#include <algorithm>

#include "compiler/check/checker.h"

namespace tenure::compiler {

namespace {

// Strongly connected components, dependencies first: an interface leads to the modules that export
// it, a unit to what it imports. A plain depth-first order is not enough: the search may leave a
// unit of a cycle before it has visited a unit on which only another unit of the cycle depends.
class Components {
 public:
  using Component = std::vector<UnitInfo*>;

  void Visit(UnitInfo* unit) {
    if (state_.count(unit) > 0) return;
    State& state = state_[unit];
    state.index = state.low = next_++;
    state.on_stack = true;
    stack_.push_back(unit);
    auto follow = [&](UnitInfo* next) {
      Visit(next);
      const State& other = state_[next];
      if (other.on_stack) state_[unit].low = std::min(state_[unit].low, other.low);
    };
    for (UnitInfo* interface : unit->imports) follow(interface);
    for (UnitInfo* module : unit->exporters) follow(module);
    finished_.push_back(unit);
    if (state_[unit].low != state_[unit].index) return;
    Component component;
    UnitInfo* member;
    do {
      member = stack_.back();
      stack_.pop_back();
      state_[member].on_stack = false;
      component.push_back(member);
    } while (member != unit);
    components_.push_back(component);
  }

  // Within a component: interfaces before modules, otherwise in the order in which the search left
  // them.
  std::vector<UnitInfo*> InOrder() const {
    std::map<UnitInfo*, size_t> position;
    for (size_t i = 0; i < finished_.size(); ++i) position[finished_[i]] = i;
    std::vector<UnitInfo*> order;
    for (Component component : components_) {
      std::sort(component.begin(), component.end(), [&](UnitInfo* a, UnitInfo* b) {
        if (a->is_interface != b->is_interface) return a->is_interface;
        return position[a] < position[b];
      });
      order.insert(order.end(), component.begin(), component.end());
    }
    return order;
  }

 private:
  struct State {
    size_t index = 0, low = 0;
    bool on_stack = false;
  };
  std::map<UnitInfo*, State> state_;
  std::vector<UnitInfo*> stack_, finished_;
  std::vector<Component> components_;
  size_t next_ = 0;
};

}  // namespace

void Checker::OrderUnits() {
  Components components;
  for (const char* name : {"RuntimeError", "Text", "TextFlat"}) {
    if (UnitInfo* interface = OwnInterface(name)) components.Visit(interface);
  }
  const std::vector<UnitInfo*> mains = ExportersOfMain();
  for (UnitInfo* unit : mains) components.Visit(unit);
  for (UnitInfo& unit : units_) components.Visit(&unit);
  std::vector<UnitInfo*> order = components.InOrder();
  std::stable_partition(order.begin(), order.end(), [&](UnitInfo* unit) {
    return std::find(mains.begin(), mains.end(), unit) == mains.end();
  });
  for (UnitInfo* unit : order) program_->units.push_back(unit->checked);
}

}  // namespace tenure::compiler
