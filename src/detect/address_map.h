// Values by address, whose ranges start anew when memory is freed.
//
// Claim   A std::map, but for the time that a look-up takes: what was asked for last is found at once.
// Assumes addresses of objects are aligned to words, so that their low bits say little.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <memory>

namespace deadheat::detect {

template <typename Value> class AddressMap {
public:
  AddressMap() = default;
  AddressMap(AddressMap &&) = default;
  AddressMap &operator=(AddressMap &&) = default;
  AddressMap(const AddressMap &other) : values_(other.values_) {} // what was asked for last is asked anew

  // Null: nothing is known of it.
  Value *find(uint64_t address) {
    Near &near = nearOf(address);
    if (near.isKnown && near.address == address) return near.value;
    auto found = values_.find(address);
    near = {address, found == values_.end() ? nullptr : &found->second, true};
    return near.value;
  }

  Value &operator[](uint64_t address) {
    if (Value *known = find(address)) return *known;
    Value &added = values_[address];
    nearOf(address) = {address, &added, true};
    return added;
  }

  // visit(address, value), then they are gone.
  template <typename Visit> void takeRange(uint64_t address, uint64_t bytes, Visit visit) {
    auto end = bytes > UINT64_MAX - address ? values_.end() : values_.lower_bound(address + bytes);
    for (auto each = values_.lower_bound(address); each != end; ++each) visit(each->first, each->second);
    eraseRange(address, bytes);
  }

  void eraseRange(uint64_t address, uint64_t bytes) {
    auto first = values_.lower_bound(address);
    auto end = bytes > UINT64_MAX - address ? values_.end() : values_.lower_bound(address + bytes);
    for (auto each = first; each != end; ++each) nearOf(each->first) = {};
    values_.erase(first, end);
  }

private:
  static constexpr unsigned kBits = 12;
  struct Near {
    uint64_t address = 0;
    Value *value = nullptr; // elements of a map stay where they are; null: there is none
    bool isKnown = false;
  };

  Near &nearOf(uint64_t address) { return (*near_)[address * 0x9e3779b97f4a7c15 >> (64 - kBits)]; }

  std::map<uint64_t, Value> values_;
  std::unique_ptr<std::array<Near, 1 << kBits>> near_ = std::make_unique<std::array<Near, 1 << kBits>>();
};

} // namespace deadheat::detect
