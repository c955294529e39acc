#include "link/reaching_functions.h"

#include "link/components.h"

namespace deadheat::link {

// Over the components of the graph, sources first.
void ReachingFunctions::solve() {
  Lists<NodeId, uint32_t> sources = graph_.sources();
  Components found = findComponents(graph_.nodeCount(), [&](uint32_t node) { return sources[NodeId(node)]; });
  componentOf_ = std::move(found.of);
  functions_.assign(found.count, SetPool::kEmpty);
  facts_.assign(found.count, 0);
  targets_ = {};
  added_.clear();
  edges_ = graph_.edgeCount();
  ListsBuilder<Component, uint32_t> builder(found.count);
  for (uint32_t node = 0; node < graph_.nodeCount(); ++node) builder.add(Component(componentOf_[node]), node);
  Lists<Component, uint32_t> members = builder.finish();
  std::vector<SetPool::Set> flowing;
  for (uint32_t c = 0; c < found.count; ++c) {
    flowing.clear();
    for (uint32_t node : members[Component(c)]) {
      if (graph_.isObject(NodeId(node))) noteObject(c, graph_.objects()[graph_.objectOf(NodeId(node))], flowing);
      for (uint32_t source : sources[NodeId(node)]) {
        if (componentOf_[source] == c) continue;
        facts_[c] |= facts_[componentOf_[source]];
        flowing.push_back(functions_[componentOf_[source]]);
      }
    }
    functions_[c] = sets_.uniteAll(flowing);
  }
}

void ReachingFunctions::noteObject(uint32_t component, const Object &object, std::vector<SetPool::Set> &flowing) {
  facts_[component] |= object.kind == ObjectKind::Function ? kHasFunction : kHasData;
  if (object.kind == ObjectKind::External) facts_[component] |= kHasExternal;
  if (object.kind == ObjectKind::Function) flowing.push_back(sets_.single(object.function.value()));
}

// A node that came after solve() is a component of its own.
void ReachingFunctions::addNode(uint32_t node) {
  uint32_t component = static_cast<uint32_t>(functions_.size());
  componentOf_.push_back(component);
  functions_.push_back(SetPool::kEmpty);
  facts_.push_back(0);
  std::vector<SetPool::Set> own;
  if (graph_.isObject(NodeId(node))) noteObject(component, graph_.objects()[graph_.objectOf(NodeId(node))], own);
  functions_[component] = sets_.uniteAll(own);
}

void ReachingFunctions::grow() {
  if (targets_.starts.empty()) connect();
  for (uint32_t node = static_cast<uint32_t>(componentOf_.size()); node < graph_.nodeCount(); ++node) addNode(node);
  std::vector<uint32_t> changed;
  graph_.forEachEdgeSince(edges_, [&](NodeId from, NodeId to) {
    uint32_t source = componentOf_[from.value()], target = componentOf_[to.value()];
    added_[source].push_back(target);
    if (flow(source, target)) changed.push_back(target);
  });
  edges_ = graph_.edgeCount();
  flowOn(std::move(changed));
}

void ReachingFunctions::connect() {
  ListsBuilder<Component, uint32_t> builder(functions_.size());
  graph_.forEachEdgeSince(0, [&](NodeId from, NodeId to) {
    if (from.value() >= componentOf_.size() || to.value() >= componentOf_.size()) return;
    uint32_t source = componentOf_[from.value()], target = componentOf_[to.value()];
    if (source != target) builder.add(Component(source), target);
  });
  targets_ = builder.finish();
}

bool ReachingFunctions::flow(uint32_t from, uint32_t to) {
  SetPool::Set set = sets_.unite(functions_[to], functions_[from]);
  uint8_t facts = facts_[to] | facts_[from];
  bool more = set != functions_[to] || facts != facts_[to];
  functions_[to] = set;
  facts_[to] = facts;
  return more;
}

void ReachingFunctions::flowOn(std::vector<uint32_t> changed) {
  while (!changed.empty()) {
    uint32_t source = changed.back();
    changed.pop_back();
    auto visit = [&](uint32_t target) {
      if (flow(source, target)) changed.push_back(target);
    };
    if (source < targets_.size()) std::ranges::for_each(targets_[Component(source)], visit);
    if (auto more = added_.find(source); more != added_.end()) std::ranges::for_each(more->second, visit);
  }
}

uint32_t ReachingFunctions::componentOf(Location location) const {
  NodeId node = location.valid() ? graph_.find(location.node) : NodeId();
  bool isKnown = node.valid() && node.value() < componentOf_.size(); // else newer than the solution
  return isKnown ? componentOf_[node.value()] : UINT32_MAX;
}

SetPool::Set ReachingFunctions::at(Location location) const {
  uint32_t component = componentOf(location);
  return component == UINT32_MAX ? SetPool::kEmpty : functions_[component];
}

uint8_t ReachingFunctions::factsAt(Location location) const {
  uint32_t component = componentOf(location);
  return component == UINT32_MAX ? 0 : facts_[component];
}

} // namespace deadheat::link
