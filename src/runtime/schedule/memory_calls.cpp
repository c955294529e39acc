// Calls of the C library that read or write memory of the program, as accesses: no instruction of the program does them, so a thread stands
// before the call.
//
// Claim   A thread that stands here is about to read or write the bytes that are told. Without a target or a list to fill the real function
//         is all that runs.
// Cost    A test and an indirect call; where such calls are looked for, a look at the marked ones.
// Misses  Bytes that are not at a descriptor yet when they are asked for; memcpy, memmove and memset, which instrumented code tells by itself; a call in tail position, which
//         returns to its caller's caller.

#include <errno.h>
#include <malloc.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>
#include <time.h>

#include "runtime/printed_texts.h"
#include "runtime/schedule/memory_call.h"
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

// How many of them are in the file; 0 where it has no length.
U64 bytesAt(int file, off_t at, U64 most) {
  struct stat status;
  const int kept = errno;
  const bool known = fstat(file, &status) == 0 && S_ISREG(status.st_mode) && at >= 0 && at < status.st_size;
  errno = kept;
  const U64 left = known ? static_cast<U64>(status.st_size - at) : 0;
  return left < most ? left : most;
}

class Call : public MemoryCall {
public:
  using MemoryCall::MemoryCall;

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
