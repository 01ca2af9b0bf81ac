"""Drives LibreOffice Calc for a test: reads one JSON command a line, and prints one JSON answer a line."""

import json
import subprocess
import sys
import time

import uno
import unohelper
from com.sun.star.beans import PropertyValue
from com.sun.star.task import XInteractionHandler
from com.sun.star.ucb import XCommandEnvironment

OFFICE, PROFILE, PIPE = sys.argv[1:4]


class Consent(unohelper.Base, XCommandEnvironment, XInteractionHandler):
    """Agrees to the installation of an extension."""

    def getInteractionHandler(self):
        return self

    def getProgressHandler(self):
        return None

    def handle(self, request):
        approve = uno.getTypeByName("com.sun.star.task.XInteractionApprove")
        for continuation in request.getContinuations():
            wanted = continuation.queryInterface(approve)
            if wanted is not None:
                wanted.select()
                return


class Calc:
    def __init__(self):
        self.start()

    def start(self):
        options = [f"-env:UserInstallation={PROFILE}", "--headless", "--norestore", "--nologo", f"--accept=pipe,name={PIPE};urp;"]
        self.process = subprocess.Popen([OFFICE, *options], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        local = uno.getComponentContext()
        resolver = local.ServiceManager.createInstanceWithContext("com.sun.star.bridge.UnoUrlResolver", local)
        while True:
            if self.process.poll() not in (None, 81):
                raise SystemExit(f"LibreOffice ended with {self.process.returncode}")
            try:
                self.context = resolver.resolve(f"uno:pipe,name={PIPE};urp;StarOffice.ComponentContext")
                break
            except Exception:
                time.sleep(0.1)
        self.desktop = self.context.ServiceManager.createInstanceWithContext("com.sun.star.frame.Desktop", self.context)
        self.document = None

    def stop(self):
        try:
            self.desktop.terminate()
        except Exception:
            pass
        self.process.wait()

    def sheet(self):
        if self.document is None:
            self.document = self.desktop.loadComponentFromURL("private:factory/scalc", "_blank", 0, ())
        return self.document.Sheets.getByIndex(0)

    def install(self, extension):
        manager = self.context.getValueByName("/singletons/com.sun.star.deployment.ExtensionManager")
        added = manager.addExtension(extension, (), "user", manager.createAbortChannel(), Consent())
        name = added.getIdentifier().Value
        self.stop()
        self.start()
        return name

    def write(self, formulas):
        for place, formula in formulas.items():
            cells = self.sheet().getCellRangeByName(place)
            if ":" in place:
                cells.setArrayFormula(formula)
            else:
                cells.setFormula(formula)
        return None

    def read(self, place):
        return [list(row) for row in self.sheet().getCellRangeByName(place).DataArray]

    def shown(self, place):
        return self.sheet().getCellRangeByName(place).FormulaLocal

    def refresh(self):
        self.document.calculateAll()
        return None

    def configure(self, node, name, value):
        provider = self.context.ServiceManager.createInstanceWithContext("com.sun.star.configuration.ConfigurationProvider", self.context)
        path = PropertyValue("nodepath", 0, node, 0)
        access = provider.createInstanceWithArguments("com.sun.star.configuration.ConfigurationUpdateAccess", (path,))
        uno.invoke(access, "setPropertyValue", (name, value))
        access.commitChanges()

    def load(self, file):
        # A person allows the links of a document; without a screen it is allowed by its folder.
        self.configure("/org.openoffice.Office.Calc/Content/Update", "Link", 0)
        self.configure("/org.openoffice.Office.Common/Security/Scripting", "SecureURL", uno.Any("[]string", (file.rsplit("/", 1)[0],)))
        options = (PropertyValue("UpdateDocMode", 0, 3, 0), PropertyValue("MacroExecutionMode", 0, 4, 0))
        self.document = self.desktop.loadComponentFromURL(file, "_blank", 0, options)
        self.document.calculateAll()
        return [sheet.Name for sheet in self.document.Sheets]

    def reopen(self, file):
        self.document.storeToURL(file, (PropertyValue("FilterName", 0, "calc8", 0),))
        self.document.close(True)
        self.document = self.desktop.loadComponentFromURL(file, "_blank", 0, ())
        return None


calc = Calc()
try:
    for line in sys.stdin:
        name, *given = json.loads(line)
        print(json.dumps(getattr(calc, name)(*given)), flush=True)
finally:
    # No LibreOffice outlives a test, not even one that failed.
    calc.stop()
