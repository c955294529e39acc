"""lit sessions of test/ir and test/cli. Entered through the lit.site.cfg.py that CMake writes.

%deadheat %cc %cxx      the tool and its two compiler names
%clang %clangxx %opt    LLVM's own; %opt has the plugin loaded
%plugin %runtime        the plugin for clang and the library for the preload
%src                    the root of the checkout
FileCheck, not, count and the other programs of LLVM are on the PATH; %s %S %t %T as everywhere.
"""

import os

import lit.formats

config.name = "deadheat"
config.test_format = lit.formats.ShTest(execute_external=True)
config.suffixes = [".c", ".cpp", ".ll", ".test"]
config.excludes = ["Inputs", "programs", "tools", "histories", "formats"]

binaries, libraries, llvm = config.deadheat_bin, config.deadheat_lib, config.llvm_bin
plugin = os.path.join(libraries, "deadheat_plugin.so")

# A longer name stands before its prefix: lit replaces them in order.
config.substitutions += [
    ("%deadheat", os.path.join(binaries, "deadheat")),
    ("%cxx", os.path.join(binaries, "deadheat-c++")),
    ("%cc", os.path.join(binaries, "deadheat-cc")),
    ("%clangxx", os.path.join(llvm, "clang++")),
    ("%clang", os.path.join(llvm, "clang")),
    ("%opt", os.path.join(llvm, "opt") + " -load-pass-plugin=" + plugin),
    ("%plugin", plugin),
    ("%runtime", os.path.join(libraries, "libdeadheat_runtime.so")),
    ("%src", config.source_root),
]

# Whatever the caller's shell has set for builds of his own must not reach a session.
config.environment["PATH"] = os.pathsep.join([binaries, llvm, os.environ["PATH"]])
for name in ("CCACHE_DIR", "HOME"):
    if name in os.environ:
        config.environment[name] = os.environ[name]
