// Extraction leaves the program as it was: what the compiler makes of it differs in the site numbers only.
//
// RUN: rm -rf %t && mkdir %t
// RUN: %clangxx -O0 -g -S -emit-llvm %s -o - | sed -f %S/Inputs/without_metadata.sed > %t/plain-O0.ll
// RUN: env DEADHEAT_MODE=extract DEADHEAT_MODEL_DIR=%t/models %clangxx -fpass-plugin=%plugin -O0 -g -S -emit-llvm %s -o - | sed -f %S/Inputs/without_metadata.sed > %t/extracted-O0.ll
// RUN: diff %t/plain-O0.ll %t/extracted-O0.ll
// RUN: %clangxx -O2 -g -S -emit-llvm %s -o - | sed -f %S/Inputs/without_metadata.sed > %t/plain-O2.ll
// RUN: env DEADHEAT_MODE=extract DEADHEAT_MODEL_DIR=%t/models %clangxx -fpass-plugin=%plugin -O2 -g -S -emit-llvm %s -o - | sed -f %S/Inputs/without_metadata.sed > %t/extracted-O2.ll
// RUN: diff %t/plain-O2.ll %t/extracted-O2.ll
// RUN: %deadheat model dump --code %t/models | grep -c reduced
#include <map>
#include <mutex>
#include <string>
#include <thread>

std::mutex m;
std::map<std::string, int> counts;

int add(const std::string &word) {
  std::lock_guard<std::mutex> hold(m);
  return ++counts[word];
}

int run() {
  std::thread first([] { add("first"); });
  first.join();
  std::unique_lock<std::mutex> hold(m, std::try_to_lock);
  return hold ? counts["first"] : -1;
}
