"""Reads the model in a page of --emit=html."""
import base64
import json
import re
import zlib


def model_text(page):
    """The model of a page, given as text, as JSON; empty for a page of errors."""
    found = re.findall(r'<script type="text/plain" id="model">(.*?)</script>', page, re.S)
    assert len(found) <= 1, f"{len(found)} models"
    return zlib.decompress(base64.b64decode(found[0])).decode() if found else ""


def model_of(page):
    return json.loads(model_text(page))
