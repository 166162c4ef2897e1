# Run when installing, before any file: makes the folders `tilecc_folders`, and those above them, with the permissions
# 0755 if they are not there.
function(tilecc_make_folder path)
  if(EXISTS ${path})
    return()
  endif()
  cmake_path(GET path PARENT_PATH parent)
  tilecc_make_folder(${parent})
  file(MAKE_DIRECTORY ${path})
  file(CHMOD ${path} PERMISSIONS OWNER_READ OWNER_WRITE OWNER_EXECUTE GROUP_READ GROUP_EXECUTE WORLD_READ WORLD_EXECUTE)
endfunction()

foreach(folder ${tilecc_folders})
  tilecc_make_folder("$ENV{DESTDIR}${CMAKE_INSTALL_PREFIX}/${folder}")
endforeach()
