# Writes OUTPUT, a source file that defines the variables of View.h with the files in FOLDER. SCRIPTS lists the scripts
# in the order of concatenation.
function(append_definition name)
  set(code "extern const StringRef ${name} = StringRef(")
  foreach(file ${ARGN})
    file(READ ${FOLDER}/${file} text)
    string(LENGTH "${text}" length)
    foreach(begin RANGE 0 ${length} 8000) # compilers may limit the length of literals
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
