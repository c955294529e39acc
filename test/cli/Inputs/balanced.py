"""Fails unless every element of an HTML page is closed where it should be."""

import html.parser
import sys

VOID = {"meta", "br"}


class Balance(html.parser.HTMLParser):
    def __init__(self):
        super().__init__()
        self.open = []

    def handle_starttag(self, tag, attributes):
        if tag not in VOID:
            self.open.append(tag)

    def handle_endtag(self, tag):
        if not self.open or self.open.pop() != tag:
            sys.exit(f"</{tag}> at {self.getpos()} closes nothing")


page = Balance()
with open(sys.argv[1], encoding="utf-8") as text:
    page.feed(text.read())
if page.open:
    sys.exit(f"never closed: {page.open}")
