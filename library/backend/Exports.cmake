# libtilecc exports symbols in two versions:
#
#   TILECC_0         declared by <tilecc/compiler.h>, for programs
#   TILECC_BACKEND   for back ends in shared libraries (targets/BackendPlugin.h), including symbols of LLVM and MLIR
#
# A program may contain another copy of LLVM, so its references must never resolve to symbols of TILECC_BACKEND.
# Therefore, hide-symbols marks these symbols as hidden: the linker does not see them, and the loader uses them only for
# references to this version. Back ends get such references by linking libtilecc_backend.so, which has the same symbols
# as libtilecc and its name, but no code.

# Back ends may use the symbols of these libraries: those for IR, passes and code generation.
set(backend_libraries TileCCTargets TileCCCompile TileCCDialects TileCCTTGDialect TileCCTTNGDialect TileCCAnalysis
    TileCCLayouts TileCCPasses TileCCGPU TileCCCpu)
set(backend_archives)
foreach(library ${backend_libraries})
  list(APPEND backend_archives $<TARGET_FILE:${library}>)
endforeach()
if(TILECC_STATIC_LLVM) # otherwise, back ends link the same shared libraries as libtilecc
  foreach(library
      LLVMSupport LLVMCore LLVMTargetParser LLVMBinaryFormat LLVMPasses LLVMAnalysis LLVMLinker LLVMTransformUtils
      LLVMBitWriter LLVMBitReader LLVMCodeGen LLVMTarget LLVMMC
      MLIRIR MLIRSupport MLIRPass MLIRAnalysis MLIRRewrite MLIRTransforms MLIRTransformUtils MLIRTargetLLVMIRExport
      MLIRArithDialect MLIRControlFlowDialect MLIRGPUDialect MLIRLLVMDialect MLIRMathDialect MLIRSCFDialect
      MLIRUBDialect MLIRControlFlowInterfaces MLIRFunctionInterfaces MLIRInferTypeOpInterface MLIRSideEffectInterfaces)
    list(APPEND backend_archives ${LLVM_LIBRARY_DIR}/lib${library}.a)
  endforeach()
endif()
set(tilecc_exports ${CMAKE_CURRENT_BINARY_DIR}/exports.map)
add_custom_command(OUTPUT ${tilecc_exports}
  COMMAND ${CMAKE_COMMAND} -DNM=${LLVM_TOOLS_BINARY_DIR}/llvm-nm "-DARCHIVES=${backend_archives}" -DMAP=${tilecc_exports}
          -P ${CMAKE_CURRENT_LIST_DIR}/ListSymbols.cmake
  DEPENDS ${backend_libraries} ${CMAKE_CURRENT_LIST_DIR}/ListSymbols.cmake
  COMMENT "Listing the symbols for back ends" VERBATIM)
add_custom_target(tilecc_exports DEPENDS ${tilecc_exports})

add_executable(hide-symbols ${CMAKE_CURRENT_LIST_DIR}/hide-symbols.cpp)

# Call this when the target tilecc exists.
function(tilecc_finish_exports)
  add_custom_command(TARGET tilecc POST_BUILD COMMAND hide-symbols $<TARGET_FILE:tilecc> TILECC_BACKEND VERBATIM)
  add_dependencies(tilecc hide-symbols)
  set(stub ${PROJECT_BINARY_DIR}/lib/tilecc/libtilecc_backend.so)
  add_custom_command(OUTPUT ${stub}
    COMMAND ${CMAKE_COMMAND} -DNM=${LLVM_TOOLS_BINARY_DIR}/llvm-nm -DLIBRARY=$<TARGET_FILE:tilecc>
            -DNAME=$<TARGET_SONAME_FILE_NAME:tilecc> -DCXX=${CMAKE_CXX_COMPILER} -DSTUB=${stub}
            -DFOLDER=${CMAKE_CURRENT_BINARY_DIR} -P ${PROJECT_SOURCE_DIR}/library/backend/MakeStub.cmake
    DEPENDS tilecc ${PROJECT_SOURCE_DIR}/library/backend/MakeStub.cmake
    COMMENT "Making libtilecc_backend.so" VERBATIM)
  add_custom_target(tilecc_backend ALL DEPENDS ${stub})
  install(FILES ${stub} DESTINATION ${CMAKE_INSTALL_LIBDIR}/tilecc)

  # Installs the headers that belong to the libraries above, with the folders of this project.
  set(headers ${CMAKE_INSTALL_INCLUDEDIR}/tilecc/backend)
  file(GLOB top RELATIVE ${PROJECT_SOURCE_DIR} ${PROJECT_SOURCE_DIR}/targets/*.h ${PROJECT_SOURCE_DIR}/compile/*.h)
  foreach(header ${top})
    cmake_path(GET header PARENT_PATH folder)
    install(FILES ${PROJECT_SOURCE_DIR}/${header} DESTINATION ${headers}/${folder})
  endforeach()
  install(DIRECTORY ${PROJECT_SOURCE_DIR}/lowering DESTINATION ${headers} FILES_MATCHING PATTERN "*.h")
  install(DIRECTORY ${PROJECT_BINARY_DIR}/lowering DESTINATION ${headers} FILES_MATCHING PATTERN "*.h.inc"
          PATTERN CMakeFiles EXCLUDE)
  install(FILES ${PROJECT_SOURCE_DIR}/runtime/include/tilecc/abi.h DESTINATION ${headers}/runtime/include/tilecc)
endfunction()
