# Everything Deadheat builds on, from Debian's packages (scripts/setup.sh installs them).

find_package(LLVM 19.1 REQUIRED CONFIG HINTS /usr/lib/llvm-19)
find_package(Clang REQUIRED CONFIG HINTS ${LLVM_DIR}/../clang /usr/lib/cmake/clang-19)
find_package(GTest REQUIRED)
find_package(Threads REQUIRED)
find_package(TBB REQUIRED)
find_library(JEMALLOC libjemalloc_pic.a REQUIRED)

find_program(FLATC flatc REQUIRED)
find_program(CCACHE ccache)
if(CCACHE)
  set(CMAKE_C_COMPILER_LAUNCHER ${CCACHE})
  set(CMAKE_CXX_COMPILER_LAUNCHER ${CCACHE})
endif()

# LLVM's headers are system headers: their warnings are not ours.
include_directories(SYSTEM ${LLVM_INCLUDE_DIRS} ${CLANG_INCLUDE_DIRS})
separate_arguments(llvm_definitions UNIX_COMMAND "${LLVM_DEFINITIONS}")
add_definitions(${llvm_definitions})
message(STATUS "LLVM ${LLVM_PACKAGE_VERSION} in ${LLVM_DIR}")
