# deadheat_module(NAME [HEADERS_ONLY] [IR] [DEPENDS module...] [LLVM component...] [LINK library...] [SCHEMA file...])
#
# One call makes the library of src/NAME, its test binary and its ctest entry. Sources and tests are found, never listed:
# x_test.cpp belongs to the test binary, x_fuzz.cpp to a fuzzer of its own. A test binary links its module and what that
# module declares, so an undeclared dependency is a link error.
#
# IR marks the modules that live inside clang: they use LLVM's IR, whose symbols come from the clang that loads them.

set(DEADHEAT_WARNINGS -Wall -Wextra -Wshadow -Wno-unused-parameter)

function(deadheat_schema target)
  foreach(schema ${ARGN})
    get_filename_component(stem ${schema} NAME_WE)
    set(header ${CMAKE_BINARY_DIR}/generated/model/${stem}_generated.h)
    add_custom_command(
      OUTPUT ${header}
      COMMAND ${FLATC} --cpp --scoped-enums -o ${CMAKE_BINARY_DIR}/generated/model ${CMAKE_SOURCE_DIR}/src/model/${schema}
      DEPENDS ${CMAKE_SOURCE_DIR}/src/model/${schema})
    target_sources(${target} PRIVATE ${header})
  endforeach()
  target_include_directories(${target} PUBLIC ${CMAKE_BINARY_DIR}/generated)
endfunction()

function(deadheat_module name)
  cmake_parse_arguments(ARG "HEADERS_ONLY;IR" "" "DEPENDS;LLVM;LINK;SCHEMA" ${ARGN})
  set(folder ${CMAKE_SOURCE_DIR}/src/${name})
  set(target deadheat_${name})
  list(TRANSFORM ARG_DEPENDS PREPEND deadheat_ OUTPUT_VARIABLE dependencies)

  if(ARG_HEADERS_ONLY)
    add_library(${target} INTERFACE)
    target_include_directories(${target} INTERFACE ${CMAKE_SOURCE_DIR}/src)
  else()
    file(GLOB_RECURSE sources CONFIGURE_DEPENDS ${folder}/*.cpp)
    list(FILTER sources EXCLUDE REGEX "_(test|fuzz)\\.cpp$")
    add_library(${target} STATIC ${sources})
    target_include_directories(${target} PUBLIC ${CMAKE_SOURCE_DIR}/src)
    target_compile_options(${target} PRIVATE ${DEADHEAT_WARNINGS})
    target_link_libraries(${target} PUBLIC ${dependencies})
    if(ARG_SCHEMA)
      deadheat_schema(${target} ${ARG_SCHEMA})
    endif()
    set_property(TARGET ${target} PROPERTY DEADHEAT_LLVM ${ARG_LLVM})
    set_property(TARGET ${target} PROPERTY DEADHEAT_LINK ${ARG_LINK})
  endif()

  file(GLOB_RECURSE tests CONFIGURE_DEPENDS ${folder}/*_test.cpp)
  if(tests AND NOT ARG_IR)
    add_executable(${target}_test ${tests})
    target_compile_options(${target}_test PRIVATE ${DEADHEAT_WARNINGS})
    target_include_directories(${target}_test PRIVATE ${CMAKE_SOURCE_DIR}/src)
    target_compile_definitions(${target}_test PRIVATE DEADHEAT_FORMATS="${CMAKE_SOURCE_DIR}/test/formats")
    deadheat_link_core(${target}_test ${name} ${ARG_DEPENDS})
    target_link_libraries(${target}_test PRIVATE GTest::gtest GTest::gtest_main)
    set_target_properties(${target}_test PROPERTIES RUNTIME_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/test)
    add_test(NAME ${name} COMMAND ${target}_test)
    set_tests_properties(${name} PROPERTIES LABELS fast)
  endif()

  file(GLOB_RECURSE fuzzers CONFIGURE_DEPENDS ${folder}/*_fuzz.cpp)
  foreach(fuzzer ${fuzzers})
    deadheat_fuzzer(${name} ${fuzzer} ${ARG_DEPENDS})
  endforeach()
endfunction()

# Links a program with modules and, statically, with the parts of LLVM that those modules asked for.
function(deadheat_link_core program)
  set(components support)
  set(extra)
  foreach(module ${ARGN})
    target_link_libraries(${program} PRIVATE deadheat_${module})
    get_target_property(kind deadheat_${module} TYPE)
    if(NOT kind STREQUAL INTERFACE_LIBRARY)
      get_target_property(wanted deadheat_${module} DEADHEAT_LLVM)
      get_target_property(libraries deadheat_${module} DEADHEAT_LINK)
      list(APPEND components ${wanted})
      list(APPEND extra ${libraries})
    endif()
  endforeach()
  list(FILTER components EXCLUDE REGEX "NOTFOUND$")
  list(FILTER extra EXCLUDE REGEX "NOTFOUND$")
  list(REMOVE_DUPLICATES components)
  llvm_map_components_to_libnames(libraries ${components})
  target_link_libraries(${program} PRIVATE ${extra} ${libraries} Threads::Threads)
endfunction()

# A libFuzzer program, run for a few seconds as a test and for as long as one likes by hand.
function(deadheat_fuzzer module source)
  get_filename_component(stem ${source} NAME_WE)
  file(GLOB_RECURSE sources ${CMAKE_SOURCE_DIR}/src/${module}/*.cpp ${CMAKE_SOURCE_DIR}/src/support/*.cpp)
  list(FILTER sources EXCLUDE REGEX "_(test|fuzz)\\.cpp$")
  add_executable(${stem} ${source} ${sources})
  target_include_directories(${stem} PRIVATE ${CMAKE_SOURCE_DIR}/src ${CMAKE_BINARY_DIR}/generated)
  target_compile_options(${stem} PRIVATE ${DEADHEAT_WARNINGS} -fsanitize=fuzzer,address,undefined -fno-sanitize=vptr -O1 -g)
  target_link_options(${stem} PRIVATE -fsanitize=fuzzer,address,undefined)
  llvm_map_components_to_libnames(libraries support)
  target_link_libraries(${stem} PRIVATE ${libraries})
  add_dependencies(${stem} deadheat_${module})
  set_target_properties(${stem} PROPERTIES RUNTIME_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/test)
  add_test(NAME ${stem} COMMAND ${stem} -runs=200000 -max_total_time=10 -rss_limit_mb=1024
           ${CMAKE_BINARY_DIR}/test/${stem}_corpus ${CMAKE_SOURCE_DIR}/test/formats)
  set_tests_properties(${stem} PROPERTIES LABELS fuzz)
  file(MAKE_DIRECTORY ${CMAKE_BINARY_DIR}/test/${stem}_corpus)
endfunction()
