# Runs during an installation, before any file is installed: creates the folders `tilecc_folders` and their parents with
# the permissions 0755, unless they exist.
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
