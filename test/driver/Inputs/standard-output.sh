# Part of standard-output.test: writes each kind of output to files, and then lists /dev.
tcc=$1 source=$2
$tcc --emit=ttir $source > ttir
$tcc -c $source -o - > object
$tcc -c $source -o /dev/stdout > object
$tcc -E $source > preprocessed
$tcc -E $source -o /dev/stdout > preprocessed
for file in ttir object preprocessed; do
  test -s $file || echo "$file is empty"
done
echo "links: $(ls -l /dev/stdout | sed 's/.*\/dev/\/dev/')"
echo "files:" $(ls /dev)
