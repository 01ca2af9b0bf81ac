import type { Document } from './document.ts';
import { identityRows } from './identity-rows.ts';
import { sectionHtml } from './block-html.ts';
import { escaped } from './escape.ts';
import { reportStyle } from './report-style.ts';
import { TableHtml } from './table-html.ts';

/** Nothing is loaded and nothing runs. */
const POLICY = "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'";

/** Title and what the report is about. */
function titleHtml({ identity, sections, subtitle }: Document): string {
  // Fingerprint, contents and time of printing stand at the foot of each page.
  const facts = identityRows(identity).slice(0, -3);
  const list = facts.map(([name, value]) => `<dt>${name}</dt><dd>${escaped(value)}</dd>`).join('');
  const flag =
    identity.state === 'closed' && !identity.isStale ? '' : `<span class="flag">${identity.isStale ? 'CHANGED' : 'DRAFT'}</span>`;
  return `<header class="ttl"><div><h1>${escaped(sections[0]?.heading ?? '')}${flag}</h1><p>${escaped(subtitle)}</p></div><dl>${list}</dl></header>`;
}

function warningsHtml({ warnings }: Document): string {
  return warnings.length === 0
    ? ''
    : `<div class="warn" role="note">${warnings.map((text) => `<p><b>!</b> ${escaped(text)}</p>`).join('')}</div>`;
}

/** The report as one HTML file for people: it prints on A4, runs nothing and refers to nothing. Long lists of a rule are added up after some rows. */
export function reportHtml(document: Document): string {
  const tables = new TableHtml(document.identity.decimalPlaces);
  const [first, ...sections] = document.sections.filter(({ isAppendix }) => !isAppendix).map((section) => sectionHtml(tables, section));
  return `<!doctype html>
<html lang="en-GB">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${POLICY}">
<meta name="viewport" content="width=device-width,initial-scale=1">
<title>${escaped(document.title)}</title>
<style>
${reportStyle(document.identity)}
</style>
</head>
<body data-state="${document.identity.state}">
<main class="sheet">
<div class="p1">
${titleHtml(document)}
${warningsHtml(document)}
${first ?? ''}
</div>
${sections.join('\n')}
</main>
</body>
</html>
`;
}
