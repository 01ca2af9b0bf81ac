"""The functions of Tieout for LibreOffice Calc: they read figures by a sheet link, and say in the cell what is wrong."""

import csv
import io
import re
import urllib.error
import urllib.parse
import urllib.request
from datetime import date, datetime, timedelta

import unohelper
from com.sun.star.lang import XServiceInfo, XServiceName
from com.sun.star.sheet import XAddIn
from org.tieout import XFigures

NAME = "org.tieout.Figures"
SERVICE = "com.sun.star.sheet.AddIn"
# Day 0 of a date in a cell.
DAY_ZERO = date(1899, 12, 30)
SECONDS = 10
NUMBER = re.compile(r"-?\d+(\.\d+)?")
DAY = re.compile(r"\d{4}-\d{2}-\d{2}")
NOT_RUNNING = "#TIEOUT! not running"
NO_LINK = "#TIEOUT! this is no sheet link"

FUNCTIONS = {
    "open": ("TIEOUT.OPEN", ("link", "asOf", "measure")),
    "balance": ("TIEOUT.BALANCE", ("link", "account", "asOf")),
    "items": ("TIEOUT.ITEMS", ("link", "asOf")),
}

# The columns of a table of open items, with their headings.
COLUMNS = (
    ("date", "Date"),
    ("account", "Account"),
    ("reference", "Reference"),
    ("description", "Description"),
    ("amount_decimal", "Amount"),
    ("currency", "Currency"),
    ("age_days", "Age in days"),
    ("status", "Status"),
)


def day_text(given):
    """Returns a day of a cell as the address has it; None where there is none. A text that is no date is sent as it is, and refused."""
    if given is None or given == "":
        return None
    if isinstance(given, (int, float)):
        return (DAY_ZERO + timedelta(days=int(given))).isoformat()
    return str(given)


def read(link, figure, **asked):
    """Returns what a sheet link answers."""
    address = link.strip().rstrip("/")
    if not re.match(r"https?://[^/]+/sheet/[^/?#]+$", address):
        return NO_LINK
    query = urllib.parse.urlencode({name: value for name, value in asked.items() if value not in (None, "")})
    try:
        # A proxy of the system does not reach this computer.
        opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))
        with opener.open(f"{address}/{figure}?{query}", timeout=SECONDS) as answer:
            return answer.read().decode("utf-8-sig")
    except (urllib.error.URLError, OSError, ValueError):
        return NOT_RUNNING


def cell(text):
    """Returns a number as a number, a time as the date that Calc shows, and other texts as they are."""
    return float(text) if NUMBER.fullmatch(text) else text


def table_cell(name, text):
    if name == "date" and DAY.fullmatch(text):
        return float((datetime.strptime(text, "%Y-%m-%d").date() - DAY_ZERO).days)
    return cell(text) if name in ("amount_decimal", "age_days") else text


class Figures(unohelper.Base, XFigures, XAddIn, XServiceName, XServiceInfo):
    def __init__(self, context):
        self.locale = None

    def open(self, link, as_of, measure):
        return cell(read(link, "open", as_of=day_text(as_of), measure=measure))

    def balance(self, link, account, as_of):
        return cell(read(link, "accounts", account=account, as_of=day_text(as_of)))

    def items(self, link, as_of):
        text = read(link, "items", as_of=day_text(as_of), format="csv")
        if text.startswith("#TIEOUT!"):
            return ((text,),)
        rows = csv.DictReader(io.StringIO(text))
        lines = tuple(tuple(table_cell(name, row[name]) for name, _ in COLUMNS) for row in rows)
        return (tuple(heading for _, heading in COLUMNS),) + lines

    def getProgrammaticFuntionName(self, shown):
        return next((name for name, (display, _) in FUNCTIONS.items() if display == shown), "")

    def getDisplayFunctionName(self, name):
        return FUNCTIONS[name][0] if name in FUNCTIONS else ""

    def getFunctionDescription(self, name):
        return ""

    def getDisplayArgumentName(self, name, place):
        return FUNCTIONS[name][1][place] if name in FUNCTIONS else ""

    def getArgumentDescription(self, name, place):
        return ""

    def getProgrammaticCategoryName(self, name):
        return "Add-In"

    def getDisplayCategoryName(self, name):
        return "Add-In"

    def setLocale(self, locale):
        self.locale = locale

    def getLocale(self):
        return self.locale

    def getServiceName(self):
        return NAME

    def getImplementationName(self):
        return NAME

    def supportsService(self, name):
        return name in (NAME, SERVICE)

    def getSupportedServiceNames(self):
        return (NAME, SERVICE)


g_ImplementationHelper = unohelper.ImplementationHelper()
g_ImplementationHelper.addImplementation(Figures, NAME, (NAME, SERVICE))
