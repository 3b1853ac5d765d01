"""A browser without scripts, in which a person signs in to `dibber serve` and allows what is asked for."""

import html
import http.cookiejar
import re
import subprocess
import urllib.error
import urllib.parse
import urllib.request


class NoRedirect(urllib.request.HTTPRedirectHandler):
    """Keeps the answer that leads elsewhere, to look at it."""

    def redirect_request(self, *_):
        return None


def field(page, name):
    return html.unescape(re.search(f'type="hidden" name="{name}" value="([^"]*)"', page)[1])


class Person:
    """The owner of the server at an address, signed in."""

    def __init__(self, dibber, base, data):
        self.base = base
        cookies = urllib.request.HTTPCookieProcessor(http.cookiejar.CookieJar())
        self.browser = urllib.request.build_opener(cookies, NoRedirect())
        command = [dibber, "family", "invite", "--public-url", base, "--data", data]
        link = subprocess.run(command, check=True, capture_output=True, text=True).stdout.strip()
        page = self.browser.open(link).read().decode()
        self.submit("/sign-in", {"link": field(page, "link")})

    def submit(self, path, fields):
        """Sends a form; returns where the answer leads to."""
        body = urllib.parse.urlencode(fields, doseq=True).encode()
        request = urllib.request.Request(self.base + path, body, {"Origin": self.base})
        try:
            answer = self.browser.open(request)
        except urllib.error.HTTPError as error:
            assert error.code == 303, (error.code, error.read())
            return error.headers["Location"]
        raise AssertionError(answer.read())

    def allow(self, address):
        """Allows all that is asked for; returns where the browser is led to."""
        page = self.browser.open(address).read().decode()
        scopes = re.findall(r'name="scope" value="([^"]*)"', page)
        hidden = {name: field(page, name) for name in ("form", "request")}
        return self.submit("/oauth/authorize", {**hidden, "decision": "allow", "scope": scopes})
