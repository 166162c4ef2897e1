import sys

from browser import opened

with opened(sys.argv[1], "#p=source,ptx,ttir") as tab:
    source = tab.page.locator(".body.source .text").all_inner_texts()
    assert source[2].startswith("// {{model}} {{script}} </style> <!-- <script> \\u003c \"quoted\" 'x' \u00e4 \u2603"), source[2]
    assert "</script><script>throw 'string'</script><img src=x onerror='throw 2'>" in source[5], source[5]
    assert tab.page.locator("img").count() == 0
    assert any("</script>" in line for line in tab.page.locator(".body.ttir .text").all_inner_texts())
    tab.page.get_by_label("File", exact=True).select_option(label=next(
        option for option in tab.page.locator(".files option").all_inner_texts() if option.endswith("a<b>&amp;.h")))
    header = tab.page.locator(".body.source .text").all_inner_texts()
    assert header[1] == '// </script><script>throw "markup of a header"</script><!--', header
