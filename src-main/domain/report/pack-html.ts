import { createHash } from 'node:crypto';
import { CHECKS_SCRIPT } from './checks-script.ts';
import type { CloseReport } from './close-report.ts';
import { documentOf } from './document-of.ts';
import type { Document } from './document.ts';
import { HASH_SCRIPT } from './hash-script.ts';
import { PACK_STYLE } from './pack-style.ts';
import { PAGE_SCRIPT } from './page-script.ts';
import { RENDER_SCRIPT } from './render-script.ts';
import { canonicalJson, reportData } from './report-data.ts';
import { PAGE_RULE, PLAIN_STYLE } from './report-style.ts';

const UNCHECKED =
  'This close pack is not checked, and nothing of it is shown. The check runs in this page: where this sentence stays, the browser runs no scripts, or the check itself was changed.';

/** The page but for its data, its hashes and its script: as a browser writes it again when it has read it. */
const PARTS = {
  policy: `default-src 'none'; script-src 'sha256-%script%'; style-src 'sha256-%style%'; base-uri 'none'; form-action 'none'`,
  head: `<meta charset="utf-8"><meta http-equiv="Content-Security-Policy" content="%policy%"><meta name="viewport" content="width=device-width,initial-scale=1"><title>Close pack, not checked</title>`,
  body: `<p id="wait">${UNCHECKED}</p><script type="application/json" id="data" data-sha256="%hash%">`,
} as const;

const STYLE = `\n${PLAIN_STYLE}\n${PACK_STYLE}\n`;

const CONSTANTS = { PARTS, STYLE, PAGE_RULE };

/** Text of a script; `<` is written otherwise, so that no text can end the script. */
function literal(value: unknown): string {
  return JSON.stringify(value).replaceAll('<', String.raw`\u003c`);
}

/** All that a pack checks and shows, without what needs a browser. */
export const PACK_CORE = [
  ...Object.entries(CONSTANTS).map(([name, value]) => `var ${name} = ${literal(value)};\n`),
  HASH_SCRIPT,
  RENDER_SCRIPT,
  CHECKS_SCRIPT,
].join('');

const SCRIPT = `(function () {\n'use strict';\n${PACK_CORE}${PAGE_SCRIPT}})();`;

function hashOf(text: string, encoding: 'base64' | 'hex'): string {
  return createHash('sha256').update(text).digest(encoding);
}

/** Only this very script runs, and only this very style applies: with one byte of either changed, the page shows nothing and says why. */
const POLICY = PARTS.policy.replace('%script%', hashOf(SCRIPT, 'base64')).replace('%style%', hashOf(STYLE, 'base64'));

/** Returns the file of a pack around its data: apart from them, every pack of this version of Tieout is the same. */
export function packAround(data: string): string {
  const body = PARTS.body.replace('%hash%', hashOf(data, 'hex'));
  return `<!doctype html>${PARTS.head.replace('%policy%', POLICY)}${body}${data}</script><script>${SCRIPT}</script>\n`;
}

/**
 * The close pack: the report, everything it is made from, and a check of all of it that runs in any browser, without Tieout and without a connection. The file holds data
 * and a script, and the script makes the page of the data.
 */
export function packHtml(report: CloseReport, document: Document = documentOf(report)): string {
  // When it was printed is under no hash, since each copy has another moment: a page that shows only what is signed leaves it out.
  const { printed: _, ...identity } = document.identity;
  return packAround(canonicalJson(reportData(report, { ...document, identity })));
}
