"""Small helpers for figures: a canvas, and bar charts. Figures have a light background of their own, so that they are readable on
light and dark pages."""
from xml.sax.saxutils import escape

FONT = "font-family='system-ui, -apple-system, Segoe UI, Roboto, sans-serif'"
INK, FAINT, GRID = "#1f2430", "#6b7280", "#e3e6ec"
COLORS = ["#3f51b5", "#b0b7c6", "#e6a23c", "#67a05b", "#c2557a", "#4aa3b5"]


class Canvas:
    def __init__(self, width, height, title):
        self.width, self.height = width, height
        self.parts = [f"<svg xmlns='http://www.w3.org/2000/svg' width='{width}' height='{height}' viewBox='0 0 {width} {height}' "
                      f"role='img' {FONT}>", f"<title>{escape(title)}</title>",
                      f"<rect width='{width}' height='{height}' rx='8' fill='#ffffff'/>"]

    def rect(self, x, y, width, height, fill, extra=""):
        self.parts.append(f"<rect x='{x:.1f}' y='{y:.1f}' width='{max(width, 0):.1f}' height='{height:.1f}' fill='{fill}' {extra}/>")

    def line(self, x1, y1, x2, y2, color=GRID, extra=""):
        self.parts.append(f"<line x1='{x1:.1f}' y1='{y1:.1f}' x2='{x2:.1f}' y2='{y2:.1f}' stroke='{color}' {extra}/>")

    def text(self, x, y, text, size=12, fill=INK, anchor="start", extra=""):
        self.parts.append(f"<text x='{x:.1f}' y='{y:.1f}' font-size='{size}' fill='{fill}' text-anchor='{anchor}' {extra}>"
                          f"{escape(str(text))}</text>")

    def circle(self, x, y, radius, fill, extra=""):
        self.parts.append(f"<circle cx='{x:.1f}' cy='{y:.1f}' r='{radius}' fill='{fill}' {extra}/>")

    def arrow(self, x1, y1, x2, y2):
        self.line(x1, y1, x2, y2, FAINT, "stroke-width='1.5'")
        if abs(x2 - x1) > abs(y2 - y1):
            step = -6 if x2 > x1 else 6
            points = f"{x2},{y2} {x2 + step},{y2 - 4} {x2 + step},{y2 + 4}"
        else:
            step = -6 if y2 > y1 else 6
            points = f"{x2},{y2} {x2 - 4},{y2 + step} {x2 + 4},{y2 + step}"
        self.parts.append(f"<polygon points='{points}' fill='{FAINT}'/>")

    def save(self, path):
        path.write_text("\n".join(self.parts) + "\n</svg>\n")


def legend(canvas, names, x, y, colors=COLORS):
    for name, color in zip(names, colors):
        canvas.rect(x, y - 9, 11, 11, color, "rx='2'")
        canvas.text(x + 16, y, name, 12, FAINT)
        x += 30 + 6.6 * len(name)


def bar_chart(path, title, unit, rows, series, reference=None, digits=0, label_width=210):
    """Horizontal bars. rows: (label, [a number or None for each series]). A reference is a vertical line."""
    width, bar, gap, top = 720, 13, 9, 62 if len(series) > 1 else 44
    height = top + sum(bar * sum(value is not None for value in values) + gap for _, values in rows) + 18
    canvas = Canvas(width, height, title)
    canvas.text(16, 24, title, 14, INK, extra="font-weight='600'")
    canvas.text(width - 16, 24, unit, 12, FAINT, "end")
    if len(series) > 1:
        legend(canvas, series, 16, 46)
    largest = max([value for _, values in rows for value in values if value is not None] + [reference or 0])
    left, right = label_width, width - 64
    scale = (right - left) / largest
    if reference:
        canvas.line(left + reference * scale, top - 8, left + reference * scale, height - 14, FAINT, "stroke-dasharray='3 3'")
    y = top
    for label, values in rows:
        shown = [(value, color) for value, color in zip(values, COLORS) if value is not None]
        canvas.text(left - 10, y + bar * len(shown) / 2 + 4, label, 12, INK, "end")
        for value, color in shown:
            canvas.rect(left, y, value * scale, bar - 2, color, "rx='2'")
            canvas.text(left + value * scale + 5, y + bar - 3, f"{value:.{digits}f}", 11, FAINT)
            y += bar
        y += gap
    canvas.save(path)
