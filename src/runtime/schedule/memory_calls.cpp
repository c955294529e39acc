// Calls of the C library that read or write memory of the program, as accesses: no instruction of the program does them, so a thread stands
// before the call.
//
// Claim   A thread that stands here is about to read or write the bytes that are told. Without a target or a list to fill the real function
//         is all that runs.
// Cost    A test and an indirect call; where such calls are looked for, a look at the marked ones.
// Misses  memcpy, memmove and memset, which instrumented code tells by itself; a call in tail position, which
//         returns to its caller's caller.

#include <malloc.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>
#include <time.h>

#include "runtime/printed_texts.h"
#include "runtime/schedule/director.h"
#include "runtime/schedule/director_hooks.h"
#include "runtime/symbols_behind.h"

namespace deadheat::runtime::schedule {
namespace {

// What is needed of the library, by names.
enum Index : U32 {
#define MEMORY_CALL(result, name, parameters, arguments, tell) k_##name,
#define MEMORY_PRINT(name, parameters, list_form, arguments, to, most)
#include "runtime/schedule/memory_calls.def"
  k_malloc_usable_size,
  kCount
};
constexpr const char *kNames[kCount] = {
#define MEMORY_CALL(result, name, parameters, arguments, tell) #name,
#define MEMORY_PRINT(name, parameters, list_form, arguments, to, most)
#include "runtime/schedule/memory_calls.def"
    "malloc_usable_size"};
constinit void *functions[kCount] = {};

template <typename Function> Function *real(Index index) {
  if (!functions[index]) [[unlikely]]
    findBehind(reinterpret_cast<const void *>(&functions), kNames, functions, kCount);
  return reinterpret_cast<Function *>(functions[index]);
}

// As libstdc++ has them: their layout is part of its binary interface.
struct ListNode {
  ListNode *next, *previous;
};
struct TreeNode {
  U64 colour;
  TreeNode *parent, *left, *right;
};

// One of a thread that is led, at a place where somebody looks for it.
class Call {
public:
  explicit Call(const void *place) : place_(reinterpret_cast<U64>(place)) {
    if (looksForMemoryCalls(place_)) task_ = directed();
  }
  explicit operator bool() const { return task_ != nullptr; }

  void reads(const void *address, U64 bytes) const { tell(false, address, bytes); }
  void writes(const void *address, U64 bytes) const { tell(true, address, bytes); }
  void readsTwo(const void *left, const void *right, U64 bytes) const {
    reads(left, bytes);
    reads(right, bytes);
  }
  void copies(const void *to, const void *from, U64 bytes) const {
    reads(from, bytes);
    writes(to, bytes);
  }
  // The end of what is there is written over.
  void appends(const char *to, const char *from, U64 bytes) const {
    const U64 before = bytesOf(to);
    reads(to, before);
    copies(to + before - 1, from, bytes);
  }
  void searches(const char *text, const char *word) const {
    if (*word != 0) reads(text, searchedBytes(text, *word));
    reads(word, bytesOf(word));
  }
  void spans(const char *text, const char *letters, bool isOfThem) const {
    reads(text, spannedBytes(text, letters, isOfThem));
    reads(letters, bytesOf(letters));
  }
  void prints(const char *to, U64 most, const char *format, va_list list) const {
    printsTexts(format, list);
    if (most == 0) return;
    va_list copy;
    va_copy(copy, list);
    const int length = real<decltype(::vsnprintf)>(k_vsnprintf)(nullptr, 0, format, copy);
    va_end(copy);
    if (length < 0) return;
    const U64 bytes = static_cast<U64>(length) + 1;
    writes(to, bytes < most ? bytes : most);
  }
  void printsTexts(const char *format, va_list list) const {
    PrintedTexts texts(format, list);
    for (PrintedText text = {}; texts.next(text);) reads(text.begin, text.bytes);
  }
  // What is certain to be written: the links to the node. The new node itself is nobody else's.
  void hooks(ListNode *position) const {
    writes(&position->previous->next, sizeof position->next);
    writes(&position->previous, sizeof position->previous);
  }
  void unhooks(const ListNode *node) const {
    reads(node, sizeof *node);
    writes(&node->previous->next, sizeof node->next);
    writes(&node->next->previous, sizeof node->previous);
  }
  void inserts(bool left, TreeNode *parent, TreeNode *header) const {
    const U64 bytes = sizeof parent->left;
    if (parent == header) return writes(&header->parent, 3 * bytes);
    writes(left ? &parent->left : &parent->right, bytes);
    if (left && parent == header->left) writes(&header->left, bytes);
    if (!left && parent == header->right) writes(&header->right, bytes);
  }
  void erases(const TreeNode *node, TreeNode *header) const {
    const U64 bytes = sizeof node->left;
    TreeNode *parent = node->parent;
    reads(node, sizeof *node);
    if (header->parent == node)
      writes(&header->parent, bytes);
    else
      writes(parent->left == node ? &parent->left : &parent->right, bytes);
    if (header->left == node) writes(&header->left, bytes);
    if (header->right == node) writes(&header->right, bytes);
  }
  void frees(void *block) const {
    if (block) writes(block, real<decltype(::malloc_usable_size)>(k_malloc_usable_size)(block));
  }

private:
  void tell(bool isWrite, const void *address, U64 bytes) const {
    if (bytes == 0) return;
    Inside inside;
    const abi::U8 side = sideOfMemoryCall(place_, isWrite);
    if (side == 0) return;
    scheduler.reach(*task_, {.action = Action::Access,
                             .isWrite = isWrite,
                             .side = side,
                             .size = static_cast<U32>(bytes < ~U32(0) ? bytes : ~U32(0)),
                             .object = reinterpret_cast<U64>(address),
                             .place = place_});
  }

  U64 place_;
  Task *task_ = nullptr;
};

} // namespace

// Under C++ names of their own, since headers declare them in their own ways.
#define DEFINE(result, name, parameters)                                                                               \
  extern "C" __attribute__((visibility("default"))) result deadheat_##name parameters asm(#name);                      \
  result deadheat_##name parameters
#define HERE __builtin_return_address(0)

#define MEMORY_CALL(result, name, parameters, arguments, tell)                                                         \
  DEFINE(result, name, parameters) {                                                                                   \
    if (looksForMemoryCalls()) [[unlikely]]                                                                            \
      if (const Call call(HERE); call) tell;                                                                           \
    return real<result parameters>(k_##name) arguments;                                                                \
  }
#define MEMORY_PRINT(name, parameters, list_form, arguments, to, most)                                                 \
  DEFINE(int, name, parameters) {                                                                                      \
    va_list list;                                                                                                      \
    va_start(list, format);                                                                                            \
    if (looksForMemoryCalls()) [[unlikely]]                                                                            \
      if (const Call call(HERE); call) call.prints(to, most, format, list);                                            \
    const int result = real<decltype(deadheat_##list_form)>(k_##list_form) arguments;                                  \
    va_end(list);                                                                                                      \
    return result;                                                                                                     \
  }
#include "runtime/schedule/memory_calls.def"

} // namespace deadheat::runtime::schedule
