# Writes OUTPUT, a source that defines what View.h declares, of the files in FOLDER. SCRIPTS is in the order in which they
# are one script.
function(append_definition name)
  set(code "extern const StringRef ${name} = StringRef(")
  foreach(file ${ARGN})
    file(READ ${FOLDER}/${file} text)
    string(LENGTH "${text}" length)
    foreach(begin RANGE 0 ${length} 8000) # a compiler need not take longer literals
      string(SUBSTRING "${text}" ${begin} 8000 part)
      string(APPEND code "\n    R\"view(${part})view\"")
    endforeach()
  endforeach()
  file(APPEND ${OUTPUT} "${code});\n")
endfunction()

file(WRITE ${OUTPUT} "#include \"page/View.h\"\nusing llvm::StringRef;\nnamespace tilecc::page {\n")
append_definition(viewHtml page.html)
append_definition(viewStyle page.css)
string(REPLACE "," ";" SCRIPTS "${SCRIPTS}")
append_definition(viewScript ${SCRIPTS})
file(APPEND ${OUTPUT} "} // namespace tilecc::page\n")
