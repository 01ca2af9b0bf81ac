import { createHash } from 'node:crypto';
import { begun } from '../../ledger/index.ts';
import { documentOf } from '../document/document-of.ts';
import { sectionHtml } from '../html/block-html.ts';
import { escaped } from '../html/escape.ts';
import { PageFigures } from '../html/figures.ts';
import { titleHtml, warningsHtml } from '../html/report-html.ts';
import { reportStyle } from '../html/report-style.ts';
import { TableHtml } from '../html/table-html.ts';
import type { CloseReport } from '../model/close-report.ts';
import type { Document } from '../model/document.ts';
import { CHECKS_SCRIPT } from './checks-script.ts';
import { HASH_SCRIPT } from './hash-script.ts';
import { canonicalJson, packData, sha256 } from './pack-data.ts';
import { PACK_STYLE } from './pack-style.ts';
import { PAGE_SCRIPT } from './page-script.ts';

const SCRIPT = `(function () {\n'use strict';${HASH_SCRIPT}${CHECKS_SCRIPT}${PAGE_SCRIPT}})();`;
/** Only this very script runs: with one byte of it changed, the banner never says that the pack was checked. */
const SCRIPT_HASH = createHash('sha256').update(SCRIPT).digest('base64');
const POLICY = `default-src 'none'; script-src 'sha256-${SCRIPT_HASH}'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'`;

const MARKUP: Readonly<Record<string, string>> = { '&amp;': '&', '&lt;': '<', '&gt;': '>', '&quot;': '"', '&#39;': "'" };

/** The text that a browser finds in markup of ours, in which `escaped` wrote all text. */
function textOf(markup: string): string {
  return markup.replaceAll(/<[^<>]*>/g, '').replaceAll(/&(?:amp|lt|gt|quot|#39);/g, (found) => MARKUP[found] ?? found);
}

function contents({ sections }: Document): string {
  const links = sections.map(({ number, name, count }) => {
    const right = count === null ? '' : `<span class="n">${count}</span>`;
    return `<a href="#s${number ?? '0'}"><span class="k">${number ?? ''}</span>${escaped(name)}${right}</a>`;
  });
  return `<nav class="toc" aria-label="Sections">${links.join('')}</nav>`;
}

const CHECKS = `<aside class="chk" aria-label="Checks"><h2>Checked in this browser</h2><div id="checks"></div>
<div class="ck"><i class="mk o"></i><b>Head</b><code class="v hash" id="head">–</code><p>Must be the head in section 10 of the signed print.</p></div>
<div class="ck"><i class="mk o"></i><b>Source files</b><span class="v">not in this page</span></div>
<div class="cmp" id="compare"><label><b>Compare a file</b><br>Choose a file or drop it here<input type="file" id="file" aria-label="Compare a file"></label><p id="compared" role="status"></p></div>
<p class="last w-good">Green means that nothing in this page was changed after it was made. Whether it is the page that was signed, only the paper can tell: compare head and fingerprint. This page opens no connection.</p><p class="last w-bad">Do not rely on any figure in this page, marked or not. It opens no connection.</p></aside>`;

function top({ identity, title }: Document): string {
  const account = identity.accountNumber === null ? identity.account : `${identity.account} ${identity.accountNumber}`;
  const isDraft = identity.state !== 'closed' || identity.isStale;
  const name = begun(identity.state);
  const state = identity.isStale ? `${name}, changed since` : name;
  return `<div class="hid"><div class="ban" role="status"><span class="m" id="mark">?</span><div><p id="verdict">This pack is not checked yet</p><small id="detail">The check runs in this page. Where this stays, the browser runs no scripts, or the check itself was changed.</small></div><button id="again" type="button">Check again</button></div>
<div class="bar"><b>${escaped(title)}</b><span class="badge${isDraft ? ' d' : ''}">${escaped(state)}</span><span class="badge x w-bad">Not as it was made</span><span class="q">${escaped(`${account}, ${identity.currency}`)}</span><button id="print" type="button">Print</button></div></div>`;
}

/**
 * The close pack: the report, everything it is made from, and a check of all of it that runs in any browser, without Tieout and without a connection. The JSON stands in
 * the page as `canonicalJson` writes it, its hash beside it.
 */
export function packHtml(report: CloseReport, document: Document = documentOf(report)): string {
  const figures = new PageFigures(document.identity.decimalPlaces);
  const writers = { figures, tables: new TableHtml(figures, false) };
  const [first, ...sections] = document.sections.map((section) => sectionHtml(writers, section));
  const body = `\n<div class="p1">\n${titleHtml(document)}\n${warningsHtml(document)}\n${first ?? ''}\n</div>\n${sections.join('\n')}\n`;
  const style = `\n${reportStyle(document.identity)}\n${PACK_STYLE}\n`;
  const data = canonicalJson(packData(report, { figures: figures.resolve(), text: textOf(body), style }));
  return `<!doctype html>
<html lang="en-GB">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${POLICY}">
<meta name="viewport" content="width=device-width,initial-scale=1">
<title>${escaped(`${document.title}, close pack`)}</title>
<style id="style">${style}</style>
</head>
<body>
${top(document)}
<div class="lay">${contents(document)}<div class="doc"><main id="report">${body}</main></div>${CHECKS}</div>
<script type="application/json" id="data" data-sha256="${sha256(data)}">${data}</script>
<script>${SCRIPT}</script>
</body>
</html>
`;
}
