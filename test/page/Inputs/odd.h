#pragma once
// </script><script>throw "markup of a header"</script><!--
template <class T> __tile__ T half(T x) { return x * 0.5f; } // <b onclick="throw 1">&amp;</b>
