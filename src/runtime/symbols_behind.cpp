#include "runtime/symbols_behind.h"

#include <link.h>

extern "C" __attribute__((weak)) int dl_iterate_phdr(int (*visit)(dl_phdr_info *, size_t, void *), void *state);

namespace deadheat::runtime {
namespace {

// What the dynamic section of an object points to.
struct SymbolTable {
  const Elf64_Sym *symbols = nullptr;
  const char *names = nullptr;
  const U32 *hash = nullptr;
  const Elf64_Half *versions = nullptr;
};

struct HashTable {
  explicit HashTable(const U32 *table)
      : bucketCount(table[0]), symbolBase(table[1]), bloomSize(table[2]), bloomShift(table[3]),
        bloom(reinterpret_cast<const U64 *>(table + 4)), buckets(reinterpret_cast<const U32 *>(bloom + bloomSize)),
        chains(buckets + bucketCount) {}

  bool mayHave(U32 hash) const {
    const U64 word = bloom[hash / 64 % bloomSize];
    return (word >> hash % 64 & word >> (hash >> bloomShift) % 64 & 1) != 0;
  }

  U32 bucketCount, symbolBase, bloomSize, bloomShift;
  const U64 *bloom;
  const U32 *buckets;
  const U32 *chains;
};

U32 hashOf(const char *name) {
  U32 hash = 5381;
  for (; *name != 0; ++name) hash = hash * 33 + static_cast<U8>(*name);
  return hash;
}

bool sameText(const char *left, const char *right) {
  while (*left != 0 && *left == *right) ++left, ++right;
  return *left == *right;
}

// glibc adds the bias to the pointers of a dynamic section that can be written, and to no other.
U64 pointer(U64 bias, const Elf64_Dyn &entry) { return entry.d_un.d_ptr + (entry.d_un.d_ptr < bias ? bias : 0); }

SymbolTable tableOf(const dl_phdr_info &info) {
  SymbolTable table;
  for (U32 index = 0; index != info.dlpi_phnum; ++index) {
    if (info.dlpi_phdr[index].p_type != PT_DYNAMIC) continue;
    const auto *entry = reinterpret_cast<const Elf64_Dyn *>(info.dlpi_addr + info.dlpi_phdr[index].p_vaddr);
    for (; entry->d_tag != DT_NULL; ++entry) {
      const U64 target = pointer(info.dlpi_addr, *entry);
      if (entry->d_tag == DT_SYMTAB) table.symbols = reinterpret_cast<const Elf64_Sym *>(target);
      if (entry->d_tag == DT_STRTAB) table.names = reinterpret_cast<const char *>(target);
      if (entry->d_tag == DT_GNU_HASH) table.hash = reinterpret_cast<const U32 *>(target);
      if (entry->d_tag == DT_VERSYM) table.versions = reinterpret_cast<const Elf64_Half *>(target);
    }
  }
  return table;
}

bool isDefault(const SymbolTable &table, U32 index) {
  constexpr Elf64_Half kHidden = 0x8000;
  return table.symbols[index].st_shndx != SHN_UNDEF && (!table.versions || !(table.versions[index] & kHidden));
}

void *addressOf(U64 bias, const Elf64_Sym &symbol) {
  const U64 address = bias + symbol.st_value;
  if (ELF64_ST_TYPE(symbol.st_info) == STT_GNU_IFUNC) return reinterpret_cast<void *(*)()>(address)();
  return reinterpret_cast<void *>(address);
}

void *find(U64 bias, const SymbolTable &table, const char *name) {
  const HashTable hashes(table.hash);
  const U32 hash = hashOf(name);
  if (hashes.bucketCount == 0 || !hashes.mayHave(hash)) return nullptr;
  U32 index = hashes.buckets[hash % hashes.bucketCount];
  if (index < hashes.symbolBase) return nullptr;
  for (;; ++index) {
    const U32 chain = hashes.chains[index - hashes.symbolBase];
    if ((chain | 1) == (hash | 1) && isDefault(table, index) &&
        sameText(table.names + table.symbols[index].st_name, name))
      return addressOf(bias, table.symbols[index]);
    if (chain & 1) return nullptr; // the end of the chain
  }
}

bool holds(const dl_phdr_info &info, U64 address) {
  for (U32 index = 0; index != info.dlpi_phnum; ++index) {
    const Elf64_Phdr &header = info.dlpi_phdr[index];
    if (header.p_type == PT_LOAD && address - info.dlpi_addr - header.p_vaddr < header.p_memsz) return true;
  }
  return false;
}

struct Search {
  U64 ours;
  const char *const *names;
  void **found;
  U32 count;
  bool passedOurs = false;
};

int visitObject(dl_phdr_info *info, size_t, void *state) {
  auto &search = *static_cast<Search *>(state);
  if (!search.passedOurs) {
    search.passedOurs = holds(*info, search.ours);
    return 0;
  }
  const SymbolTable table = tableOf(*info);
  if (!table.symbols || !table.names || !table.hash) return 0;
  for (U32 index = 0; index != search.count; ++index)
    if (!search.found[index])
      if (void *found = find(info->dlpi_addr, table, search.names[index]))
        __atomic_store_n(&search.found[index], found, __ATOMIC_RELEASE);
  return 0;
}

struct Both {
  U64 one;
  U64 other;
};

int visitBoth(dl_phdr_info *info, size_t, void *state) {
  const auto &both = *static_cast<const Both *>(state);
  return holds(*info, both.one) && holds(*info, both.other);
}

} // namespace

bool isOneObject(const void *one, const void *other) {
  Both both{reinterpret_cast<U64>(one), reinterpret_cast<U64>(other)};
  return dl_iterate_phdr && dl_iterate_phdr(visitBoth, &both) != 0;
}

void findBehind(const void *ours, const char *const *names, void **found, U32 count) {
  Search search{reinterpret_cast<U64>(ours), names, found, count};
  if (dl_iterate_phdr) dl_iterate_phdr(visitObject, &search);
}

} // namespace deadheat::runtime
