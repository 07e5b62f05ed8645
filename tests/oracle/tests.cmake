# SPDX-License-Identifier: GPL-2.0-or-later
# One CTest test for each image of the matrix (label "oracle"; the large ones
# also "long"), one for each kind of damage, and one that judges the judges.
find_package(Python3 REQUIRED COMPONENTS Interpreter)
set(oracle_dir ${CMAKE_CURRENT_LIST_DIR})
set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS
             ${oracle_dir}/matrix.py ${oracle_dir}/hostile.py)

function(fusexfs_add_oracle_test name)
  cmake_parse_arguments(ARG "" "TIMEOUT" "COMMAND;LABELS" ${ARGN})
  add_test(NAME ${name} COMMAND ${Python3_EXECUTABLE} -B ${ARG_COMMAND})
  set_tests_properties(${name} PROPERTIES
    LABELS "${ARG_LABELS}" TIMEOUT ${ARG_TIMEOUT}
    TIMEOUT_SIGNAL_NAME SIGTERM  # from CMake 3.27 on: they unmount and clean up
    ENVIRONMENT "FUSEXFS_BIN=${CMAKE_RUNTIME_OUTPUT_DIRECTORY}")
endfunction()

fusexfs_add_oracle_test(oracle.judges TIMEOUT 300 LABELS oracle
  COMMAND ${oracle_dir}/judges_test.py)

fusexfs_add_oracle_test(oracle.ondisk-commands TIMEOUT 600 LABELS oracle
  COMMAND ${oracle_dir}/ondisk_commands.py)
fusexfs_add_oracle_test(oracle.ondisk-values TIMEOUT 900 LABELS oracle
  COMMAND ${oracle_dir}/ondisk_values.py)

foreach(list --list "--list;--long")
  execute_process(COMMAND ${Python3_EXECUTABLE} -B ${oracle_dir}/run_case.py ${list}
                  OUTPUT_VARIABLE names COMMAND_ERROR_IS_FATAL ANY)
  string(REGEX MATCHALL "[^\n]+" names "${names}")
  foreach(name ${names})
    if(list STREQUAL "--list")
      fusexfs_add_oracle_test(oracle.${name} TIMEOUT 600 LABELS oracle
        COMMAND ${oracle_dir}/run_case.py ${name})
    else()
      fusexfs_add_oracle_test(oracle.${name} TIMEOUT 3600 LABELS "oracle;long"
        COMMAND ${oracle_dir}/run_case.py ${name})
    endif()
  endforeach()
endforeach()

execute_process(COMMAND ${Python3_EXECUTABLE} -B ${oracle_dir}/hostile.py --list
                OUTPUT_VARIABLE names COMMAND_ERROR_IS_FATAL ANY)
string(REGEX MATCHALL "[^\n]+" names "${names}")
foreach(name ${names})
  # The groups of more than half a minute tell each fifth lie by default.
  set(every)
  if(name MATCHES "^(ag-headers|inode|directory|attribute)$")
    set(every --every 5)
    fusexfs_add_oracle_test(hostile.${name}-all TIMEOUT 3600 LABELS oracle long
      COMMAND ${oracle_dir}/hostile.py ${name})
  endif()
  fusexfs_add_oracle_test(hostile.${name} TIMEOUT 900 LABELS oracle
    COMMAND ${oracle_dir}/hostile.py ${name} ${every})
endforeach()
fusexfs_add_oracle_test(hostile.flips-long TIMEOUT 3600 LABELS "oracle;long"
  COMMAND ${oracle_dir}/hostile.py flips --count 1500)

# The public cases, where their folder stands beside the source tree.
set(FUSEXFS_SHARED_CASES ${CMAKE_SOURCE_DIR}/../shared/cases CACHE PATH
    "Folder of the public cases; may be absent")
if(EXISTS ${FUSEXFS_SHARED_CASES}/lib.sh)
  execute_process(COMMAND ${Python3_EXECUTABLE} -B ${oracle_dir}/shared_cases.py
                          --list ${FUSEXFS_SHARED_CASES}
                  OUTPUT_VARIABLE names COMMAND_ERROR_IS_FATAL ANY)
  string(REGEX MATCHALL "[^\n]+" names "${names}")
  foreach(name ${names})
    set(labels oracle)
    if(name MATCHES "^(A21|D04|D05)_")  # longer than all others together
      list(APPEND labels long)
    endif()
    fusexfs_add_oracle_test(shared.${name} TIMEOUT 1600 LABELS ${labels}
      COMMAND ${oracle_dir}/shared_cases.py ${FUSEXFS_SHARED_CASES} ${name})
  endforeach()
endif()
