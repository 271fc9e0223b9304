# cmake -D PLOT=<scripts/plot> -D ARGUMENTS=<list> -D EXIT=<code> -D SAYS=<regex> -D WORK=<folder>
#   [-D PROGRAM=<miniapp> -D RUNS=<options of a run>;<of another>..] [-D PICTURES=<name>;..] [-D HOLDS=<text>;..]
#   -P check_plot.cmake
# Runs scripts/plot in WORK, made empty, after the program wrote record.json in RUNS. A refusal is one line on stderr
# and needs no matplotlib; else exactly PICTURES are written, as SVG with HOLDS as text. Says "skipped: .." where Python
# or matplotlib are missing.
file(REMOVE_RECURSE ${WORK})
file(MAKE_DIRECTORY ${WORK})
find_program(PYTHON python3)
if(NOT PYTHON)
  message("skipped: python3 is missing")
  return()
endif()
if(EXIT EQUAL 0)
  execute_process(COMMAND ${PYTHON} -c "import matplotlib" RESULT_VARIABLE missing OUTPUT_QUIET ERROR_QUIET)
  if(missing)
    message("skipped: matplotlib is missing (apt-get install python3-matplotlib)")
    return()
  endif()
endif()

foreach(run IN LISTS RUNS)
  separate_arguments(options UNIX_COMMAND "${run}")
  execute_process(COMMAND ${PROGRAM} ${options} --json record.json WORKING_DIRECTORY ${WORK} OUTPUT_QUIET
    COMMAND_ERROR_IS_FATAL ANY)
endforeach()
file(WRITE ${WORK}/empty.json "")
file(WRITE ${WORK}/info.json "{\"schema\": 1, \"module\": \"info\"}\n")
file(WRITE ${WORK}/broken.json "{\"schema\": 1, \"module\": \"info\"}\n\n{\"schema\": 1, \n")
file(WRITE ${WORK}/partial.json "{\"schema\": 1, \"module\": \"tensor\", \"case\": {\"bp\": \"BP1.0\", \"kernel\": \"rung1\"}}\n")
set(streaming "\"schema\": 1, \"module\": \"streaming\"")
file(WRITE ${WORK}/no_order.json "{${streaming}, \"case\": {\"bs\": 6, \"name\": \"gather\", \"order\": null}}\n")
file(WRITE ${WORK}/no_curve.json "{${streaming}, \"case\": {\"bs\": 1, \"name\": \"copy\"}, \"result\": {\"curve\": [[1]]}}\n")
set(loop "\"loop\": \"airfoil\", \"strategy\": \"owner\", \"reorder\": \"none\", \"size\": 9, \"block_size\": 8")
file(WRITE ${WORK}/no_layout.json "{\"schema\": 1, \"module\": \"indirect\", \"case\": {${loop}}}\n")
file(WRITE ${WORK}/wrong_loop.json "{\"schema\": 1, \"module\": \"indirect\", \"case\": {${loop}, \"layout\": \"aos\"}, "
  "\"verification\": {\"passed\": false}, \"rates\": {\"kernel_gbytes\": 9}}\n")

# streaming_record(<variable> <device> <back end> <date> <order> <name> <t0_s> <wmax_gbytes> <passed>): of BS1 where the
# order is null, else of BS6; no machine that runs this test has two devices, sizes beyond its cache and no fit at once.
function(streaming_record variable device backend date order name t0 wmax passed)
  set(test 6)
  if(order STREQUAL null)
    set(test 1)
  endif()
  string(CONCAT record "{${streaming}, \"device\": \"${device}\", \"threads\": 2, \"kokkos\": {\"backends\": [\"${backend}\"]}, "
    "\"date\": \"${date}\", \"case\": {\"bs\": ${test}, \"name\": \"${name}\", \"order\": ${order}, \"precision\": \"double\"}, "
    "\"verification\": {\"passed\": ${passed}}, \"roofs\": {\"copy_gbytes\": ${wmax}}, "
    "\"result\": {\"t0_s\": ${t0}, \"wmax_gbytes\": ${wmax}, \"beyond_cache\": {\"from_bytes\": 1e6}, "
    "\"curve\": [[1e3, 2e-6], [1e5, 3e-6], [1e6, null], [1e9, 1e-3]]}}\n")
  set(${variable} "${record}" PARENT_SCOPE)
endfunction()
streaming_record(gpu "GPU $ 1" Cuda 2026-01-02 null copy 1e-6 1000 true)
streaming_record(host "Host" OpenMP 2026-01-02 null copy null null true)
streaming_record(old "Host" OpenMP 2026-01-01 null old 1e-6 1000 true)
streaming_record(wrong "Host" OpenMP 2026-01-03 null wrong 1e-6 1000 false)
file(WRITE ${WORK}/devices.json "${host}${gpu}${old}${wrong}")
file(WRITE ${WORK}/wrong.json "${wrong}")
streaming_record(order1 "GPU" Cuda 2026-01-01 1 gather 1e-6 1000 true)
streaming_record(order12 "GPU" Cuda 2026-01-01 12 gather -1e-5 1000 true)
file(WRITE ${WORK}/orders.json "${order12}${order1}")

execute_process(COMMAND ${PYTHON} ${PLOT} ${ARGUMENTS} WORKING_DIRECTORY ${WORK}
  RESULT_VARIABLE code OUTPUT_VARIABLE output ERROR_VARIABLE errors)
list(JOIN ARGUMENTS " " command)
message("scripts/plot ${command}\n${output}${errors}exit code ${code}")
if(NOT code STREQUAL EXIT)
  message(SEND_ERROR "wrong: the exit code should be ${EXIT}")
endif()
if(NOT "${output}${errors}" MATCHES "${SAYS}")
  message(SEND_ERROR "wrong: should say '${SAYS}'")
endif()
if(NOT EXIT EQUAL 0 AND NOT ("${output}" STREQUAL "" AND "${errors}" MATCHES "^scripts/plot: [^\n]+\n$"))
  message(SEND_ERROR "wrong: a refusal is one line on stderr")
endif()

file(GLOB_RECURSE pictures RELATIVE ${WORK} ${WORK}/*.svg ${WORK}/*.png)
list(SORT pictures)
if(NOT "${pictures}" STREQUAL "${PICTURES}")
  message(SEND_ERROR "wrong: wrote '${pictures}' instead of '${PICTURES}'")
endif()
foreach(picture IN LISTS pictures)
  if(NOT picture MATCHES "svg$")
    continue()
  endif()
  file(READ ${WORK}/${picture} text)
  foreach(held IN LISTS HOLDS)
    string(FIND "${text}" "${held}" at)
    if(at EQUAL -1)
      message(SEND_ERROR "wrong: ${picture} does not hold the text '${held}'")
    endif()
  endforeach()
endforeach()
