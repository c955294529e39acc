// SHOWN
// FLAGS -std=c++20
// A symbol table looks up under a shared lock, upgrades by re-checking under a unique lock, and hands out references that outlive both locks.
#include <cstdio>
#include <memory>
#include <mutex>
#include <set>
#include <shared_mutex>
#include <string>
#include <string_view>
#include <thread>
#include <unordered_map>
#include <vector>

struct Symbol {
  std::string name;
  std::size_t id;
  std::size_t hash;
};

class SymbolTable {
public:
  // Symbols are never erased nor changed, and a rehash does not move them.
  const Symbol &intern(std::string_view name) {
    const std::string key(name);
    {
      std::shared_lock lock(mu_);
      if (auto it = symbols_.find(key); it != symbols_.end()) return it->second;
    }
    std::unique_lock lock(mu_);
    auto [it, fresh] = symbols_.try_emplace(key);
    if (fresh) {
      it->second.name = key;
      it->second.id = symbols_.size();
      it->second.hash = std::hash<std::string>{}(key);
    }
    return it->second;
  }

  std::size_t size() const {
    std::shared_lock lock(mu_);
    return symbols_.size();
  }

private:
  mutable std::shared_mutex mu_;
  std::unordered_map<std::string, Symbol> symbols_;
};

static std::size_t parse(SymbolTable &table, int seed) {
  std::vector<const Symbol *> seen;
  std::set<std::size_t> ids;
  for (int i = 0; i < 150; ++i) {
    const Symbol &s = table.intern("var" + std::to_string((i * seed) % 83));
    seen.push_back(&s);
    ids.insert(s.id); // NORACE
  }
  std::size_t wrong = 0;
  for (const Symbol *s : seen) wrong += s->name.compare(0, 3, "var") != 0 || s->id == 0; // NORACE
  return wrong * 1000 + ids.size();
}

int main() {
  auto table = std::make_unique<SymbolTable>();
  std::vector<std::size_t> outcome(3);
  {
    std::vector<std::jthread> parsers;
    for (int p = 0; p < 3; ++p)
      parsers.emplace_back([&table, &outcome, p] { outcome[static_cast<std::size_t>(p)] = parse(*table, p + 2); });
  }
  std::printf("%zu symbols, outcomes %zu %zu %zu\n", table->size(), outcome[0], outcome[1], outcome[2]);
}
