"""Opens pages in a headless Chromium, for tests: with opened(page, fragment) as tab. Errors that a page writes to the console, uncaught
exceptions, and requests for anything but the page itself fail the test."""
import contextlib
import pathlib
import shutil

from playwright.sync_api import sync_playwright


class Tab:
    """A page of --emit=html."""

    def __init__(self, page):
        self.page = page

    def row(self, kind, number):
        """The row of a pane with this number in its margin."""
        return self.page.locator(f".body.{kind} .line").filter(has=self.page.locator(".number", has_text=f"{number}")).filter(
            has=self.page.locator(f"xpath=./span[@class='number'][normalize-space()='{number}']"))

    def texts(self, kind, state):
        """The lines of a pane that are highlighted, or highlighted as callers."""
        return self.page.locator(f".body.{kind} .line.{state} > .text").all_inner_texts()

    def choose(self, pane, kind):
        self.page.get_by_label(f"Shown in pane {pane}").select_option(kind)


@contextlib.contextmanager
def opened(page, fragment="", width=1280, height=900, browser=None, **options):
    with contextlib.ExitStack() as stack:
        if not browser:
            browser = stack.enter_context(chromium())
        context = browser.new_context(viewport={"width": width, "height": height}, **options)
        tab, problems = context.new_page(), []
        tab.on("console", lambda message: problems.append(message.text) if message.type in ("error", "warning") else None)
        tab.on("pageerror", lambda error: problems.append(str(error)))
        address = pathlib.Path(page).resolve().as_uri()
        tab.on("request", lambda request: None if request.url.startswith((address, "data:")) else problems.append("request of " + request.url))
        tab.goto(address + fragment)
        yield Tab(tab)
        context.close()
        assert not problems, f"{page}: {problems}"


@contextlib.contextmanager
def chromium():
    with sync_playwright() as playwright:
        # Tests may run as root, for whom Chromium's sandbox does not start; the pages are our own.
        browser = playwright.chromium.launch(executable_path=shutil.which("chromium"), args=["--no-sandbox"])
        yield browser
        browser.close()
