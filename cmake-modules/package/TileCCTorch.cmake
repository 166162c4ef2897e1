# tilecc_add_torch_library(<target> SOURCES <source>... [TORCH_VERSION <major.minor>])
#
# Creates a library of PyTorch operators for torch.ops.load_library: a module with tile kernels (.tt.cpp) and the code
# that registers them. It uses PyTorch's stable interface (torch/csrc/stable), so the file works with the given version
# of PyTorch (default: 2.11) and later ones, for the CPU and for GPUs. PyTorch is found through the Python that CMake
# finds, or in the folder TILECC_TORCH_DIR.
function(tilecc_add_torch_library target)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "TORCH_VERSION" "SOURCES")
  if(NOT arg_SOURCES OR arg_UNPARSED_ARGUMENTS)
    message(FATAL_ERROR "tilecc_add_torch_library(<target> SOURCES <source>... [TORCH_VERSION <major.minor>])")
  endif()
  if(NOT arg_TORCH_VERSION)
    set(arg_TORCH_VERSION 2.11)
  endif()
  _tilecc_find_torch(torch)
  string(REGEX MATCH "^([0-9]+)\\.([0-9]+)$" version "${arg_TORCH_VERSION}")
  if(NOT version)
    message(FATAL_ERROR "tilecc_add_torch_library: TORCH_VERSION ${arg_TORCH_VERSION} is not <major.minor>")
  endif()
  math(EXPR number "(${CMAKE_MATCH_1} << 56) | (${CMAKE_MATCH_2} << 48)" OUTPUT_FORMAT HEXADECIMAL)

  add_library(${target} MODULE ${arg_SOURCES})
  set_target_properties(${target} PROPERTIES PREFIX "" CXX_VISIBILITY_PRESET hidden VISIBILITY_INLINES_HIDDEN ON)
  target_compile_features(${target} PRIVATE cxx_std_20)
  # Kernel sources do not need PyTorch's headers.
  target_include_directories(${target} SYSTEM PRIVATE
    $<$<COMPILE_LANGUAGE:CXX>:${torch}/include> $<$<COMPILE_LANGUAGE:CXX>:${torch}/include/torch/csrc/api/include>)
  target_compile_definitions(${target} PRIVATE $<$<COMPILE_LANGUAGE:CXX>:TORCH_TARGET_VERSION=${number}ull>)
  target_link_libraries(${target} PRIVATE TileCC::TileCC -Wl,--no-as-needed ${torch}/lib/libtorch.so
                        ${torch}/lib/libtorch_cpu.so ${torch}/lib/libc10.so -Wl,--as-needed)
  # The process that loads the library has PyTorch; the file must not record its location.
  set_target_properties(${target} PROPERTIES SKIP_BUILD_RPATH ON)
  tilecc_sources(${target})
endfunction()

# PyTorch's folder, found without importing it, which takes seconds.
function(_tilecc_find_torch result)
  set(TILECC_TORCH_DIR "" CACHE PATH "The folder of the Python package torch")
  set(torch "${TILECC_TORCH_DIR}")
  if(NOT torch)
    find_package(Python3 COMPONENTS Interpreter REQUIRED)
    execute_process(
      COMMAND "${Python3_EXECUTABLE}" -c
              "import importlib.util as u; s = u.find_spec('torch'); print(s.submodule_search_locations[0] if s else '')"
      OUTPUT_VARIABLE torch OUTPUT_STRIP_TRAILING_WHITESPACE)
  endif()
  if(NOT torch)
    message(FATAL_ERROR "tilecc_add_torch_library: ${Python3_EXECUTABLE} has no package torch; install it there, choose another "
                        "Python with -DPython3_EXECUTABLE=, or name the package's folder with -DTILECC_TORCH_DIR=")
  endif()
  if(NOT EXISTS "${torch}/include/torch/csrc/stable/library.h")
    message(FATAL_ERROR "tilecc_add_torch_library: ${torch} is not PyTorch 2.11 or later: it has no include/torch/csrc/stable")
  endif()
  set(${result} "${torch}" PARENT_SCOPE)
endfunction()
