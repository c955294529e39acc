cmake_minimum_required(VERSION 3.25)

# What a call in a shared library pays that is not taken: the hook behind the check in the compiled code counts down and returns, and
# saves no register. Executables count themselves (test/ir/instrument_entry_cost.c).
set(symbol _ZN8deadheat7runtime12_GLOBAL__N_19askThreadILNS0_4EdgeE0EEEbPvS4_S4_)
execute_process(COMMAND ${OBJDUMP} --disassemble-symbols=${symbol} --no-show-raw-insn --no-leading-addr ${LIBRARY}
                OUTPUT_VARIABLE text RESULT_VARIABLE failed)
if(failed OR NOT text MATCHES "askThread")
  message(FATAL_ERROR "${OBJDUMP} finds no ${symbol} in ${LIBRARY}")
endif()
string(REGEX REPLACE ".*>:\n" "" text "${text}")
string(REGEX REPLACE "ret.*" "ret" text "${text}")
string(REGEX REPLACE "\n" ";" instructions "${text}")
list(LENGTH instructions count)
list(FILTER instructions INCLUDE REGEX "push|pop|call")
if(count GREATER 10 OR instructions)
  message(SEND_ERROR "a call that is not taken costs ${count} instructions instead of 10, and these: ${instructions}\n${text}")
endif()
