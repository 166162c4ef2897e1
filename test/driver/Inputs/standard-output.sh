# For standard-output.test: prints to files by every kind of output, and tells what /dev is then.
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
