import tilecc.cutile

tilecc.cutile.install()
from cuda.tile import _compile

print(_compile._find_compiler_bin().path)
_compile._find_pip_tileiras = lambda: "/nowhere/tileiras"
_compile._find_compiler_bin.cache_clear()
assert _compile._find_compiler_bin().path == "/nowhere/tileiras"
tilecc.cutile.install()
assert _compile._find_compiler_bin().path != "/nowhere/tileiras"
print(_compile._get_max_supported_bytecode_version(None).as_string())
