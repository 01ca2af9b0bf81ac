import type { StatementDocument, StatementGroup, StatementRow, StatementSide } from '../../../src-shared/contract/index.ts';
import { present } from '../../../src-shared/values/assert.ts';
import { dayFromIso } from '../../../src-shared/values/civil-date.ts';
import { dayText, yearlessDayText } from '../../../src-shared/values/notation.ts';
import { phrase } from '../../../src-shared/words/say.ts';
import {
  type Block,
  type Cell,
  type Column,
  type ColumnKind,
  type Document,
  type Facts,
  type Group,
  type Row,
  type Section,
  type Signatures,
  sumOf,
  type Table,
  type Total,
} from './document.ts';
import { escaped } from './escape.ts';
import { reportStyle } from './report-style.ts';
import { groupedHash, identityRows, readableAmount } from './report-words.ts';
import { rowText, verdictText } from './statement-document.ts';

const WHOLE_HASH = /^[0-9a-f]{64}$/;

function textOf(text: string): string {
  return WHOLE_HASH.test(text) ? `<span class="hash">${groupedHash(text)}</span>` : escaped(text);
}

const isFigure = ({ kind }: Column): boolean => kind === 'amount' || kind === 'count';

/** Returns the column widths as percentages, including the column for the box. */
function columnWidths({ columns, hasBoxes }: Table): string {
  const box = 14;
  const sum = columns.reduce((total, { weight }) => total + weight, hasBoxes ? box : 0);
  const share = (weight: number): string => `<col style="width:${Math.round((weight / sum) * 1e4) / 100}%">`;
  return `<colgroup>${hasBoxes ? share(box) : ''}${columns.map(({ weight }) => share(weight)).join('')}</colgroup>`;
}

function head({ columns, hasBoxes }: Table): string {
  const cells = columns.map((column) => {
    const second = column.second === null ? '' : `<small>${escaped(column.second)}</small>`;
    return `<th scope="col"${isFigure(column) ? ' class="n"' : ''}>${escaped(column.title)}${second}</th>`;
  });
  return `<thead><tr>${hasBoxes ? '<th scope="col" aria-label="Ticked">✓</th>' : ''}${cells.join('')}</tr></thead>`;
}

/** Writes the tables of a page. */
class TableHtml {
  readonly #decimalPlaces: number;

  constructor(decimalPlaces: number) {
    this.#decimalPlaces = decimalPlaces;
  }

  amount(value: number): string {
    return this.#number(value, 'amount');
  }

  /** Formats an amount with the decimal places of the currency, or a count. */
  #number(value: number, kind: ColumnKind): string {
    return `<span class="f">${escaped(readableAmount(value, kind === 'count' ? 0 : this.#decimalPlaces))}</span>`;
  }

  #figure(column: Column, value: number): string {
    // A number that identifies something has no group separators.
    const isNumber = column.title === 'No.' || column.title === 'Record';
    if (isNumber) return `<span class="f">${value}</span>`;
    // A difference of zero is a dash, so that the other differences stand out.
    return value === 0 && column.title === 'Difference' ? '<span class="f">–</span>' : this.#number(value, column.kind);
  }

  #cell(row: Row, column: Column, place: number): string {
    const value: Cell = row.cells[place] ?? null;
    const second = row.second?.[place] ?? null;
    const below = second === null || second === '' ? '' : `<small>${textOf(second)}</small>`;
    if (value === null) return `<td${isFigure(column) ? ' class="n"' : ''}>${below}</td>`;
    if (typeof value === 'string')
      return `<td${column.kind === 'hash' ? ' class="hash"' : isFigure(column) ? ' class="n q"' : ''}>${textOf(value)}${below}</td>`;
    if (column.kind === 'day') return `<td class="nb">${dayText(value)}${below}</td>`;
    return `<td class="n">${this.#figure(column, value)}${below}</td>`;
  }

  #row(row: Row, table: Table, isLast: boolean): string {
    const box = table.hasBoxes ? `<td>${row.isContinued ? '' : '<span class="box"></span>'}</td>` : '';
    const cells = table.columns.map((column, place) => this.#cell(row, column, place));
    return `<tr${isLast ? '' : ' class="r"'}>${box}${cells.join('')}</tr>`;
  }

  #total(total: Total, table: Table): string {
    const first = total.cells.reduce((least, { column }) => Math.min(least, column), table.columns.length);
    const span = first + (table.hasBoxes ? 1 : 0);
    const cells = table.columns.slice(first).map((column, index) => {
      const cell = total.cells.find((each) => each.column === first + index);
      if (cell === undefined) return '<td></td>';
      return `<td class="n"><span class="${total.isFinal ? 's2' : 's1'}">${this.#number(cell.value, column.kind)}</span></td>`;
    });
    const label = span === 0 ? '' : `<td colspan="${span}">${escaped(total.label)}</td>`;
    return `<tr class="tot${total.isFinal ? '' : ' sub'}">${label}${cells.join('')}</tr>`;
  }

  /** Returns one row with the sums of the rows that are left out. */
  #rest(rows: readonly Row[], table: Table): string {
    const left = rows.filter(({ isContinued }) => !isContinued).length;
    const cells: Cell[] = table.columns.map(({ kind }, place) => (kind === 'amount' ? sumOf(rows, place) : null));
    const text = table.columns.findIndex(({ kind }) => kind === 'text');
    cells[text] = phrase('report.reportHtml.moreEachListedInTheWorkbook', { left });
    return this.#row({ cells, second: null, named: null, isContinued: true }, table, true).replace('<tr', '<tr class="rest"');
  }

  #group(group: Group, table: Table): string {
    const width = table.columns.length + (table.hasBoxes ? 1 : 0);
    const number = group.number === null ? '' : `<span class="k">${escaped(group.number)}</span>`;
    const remark = group.remark === null ? '' : `<span class="q">, ${escaped(group.remark)}</span>`;
    const title = group.title === null ? '' : `<tr class="gh"><td colspan="${width}">${number}${escaped(group.title)}${remark}</td></tr>`;
    const limit = group.shortAfter !== null && group.rows.length > group.shortAfter ? group.shortAfter : group.rows.length;
    const shown = group.rows.slice(0, limit);
    const rest = group.rows.slice(limit);
    const rows = shown.map((row, index) =>
      this.#row(row, table, group.rows[index + 1]?.isContinued === true || index === group.rows.length - 1),
    );
    if (rest.length > 0) rows.push(this.#rest(rest, table));
    const totals = group.totals.map((total) => this.#total(total, table));
    return `<tbody>${title}${rows.join('')}${totals.join('')}</tbody>`;
  }

  table(table: Table): string {
    const title = table.title === null ? '' : `<h3>${escaped(table.title)}</h3>`;
    if (table.groups.every(({ rows }) => rows.length === 0)) return `${title}<p class="none">${escaped(table.whenEmpty)}</p>`;
    const groups = table.groups.map((group) => this.#group(group, table));
    const totals = table.totals.map((total) => this.#total(total, table));
    const foot = totals.length === 0 ? '' : `<tbody class="tt">${totals.join('')}</tbody>`;
    return `${title}<table>${columnWidths(table)}${head(table)}${groups.join('')}${foot}</table>`;
  }

  facts({ title, rows }: Facts): string {
    const heading = title === null ? '' : `<h3>${escaped(title)}</h3>`;
    const lines = rows.map(
      ({ name, value, isHash }) => `<dt>${escaped(name)}</dt><dd${isHash ? ' class="hash"' : ''}>${escaped(value)}</dd>`,
    );
    return `${heading}<dl class="kv">${lines.join('')}</dl>`;
  }
}

/** The page may load nothing and run nothing. */
const POLICY = "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'";

/** Returns the title and the facts about the report. */
function titleHtml({ identity, sections, subtitle }: Document): string {
  // Fingerprint, contents and time of printing are at the foot of each page instead.
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

/**
 * Returns the report as one HTML file for people, for printing on the paper of its notation. It runs no script and refers to nothing outside. Long lists of a rule are
 * summed up after some rows.
 */
export function reportHtml(document: Document): string {
  const tables = new TableHtml(document.identity.decimalPlaces);
  const [first, ...sections] = document.sections.filter(({ isAppendix }) => !isAppendix).map((section) => sectionHtml(tables, section));
  return `<!doctype html>
<html lang="en" data-paper="${document.identity.notation.paper}">
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

/** Returns the anchor of the section that a note number refers to. */
function anchorOf(note: string): string {
  return `s${note.split('.')[0] ?? ''}`;
}

function figureHtml(tables: TableHtml, { amount, unknown }: StatementRow): string {
  return amount === null ? `<span class="q">${escaped(unknown)}</span>` : tables.amount(amount);
}

function noteHtml(note: string): string {
  return `<a class="note" href="#${anchorOf(note)}">${escaped(note)}</a>`;
}

function groupHtml(tables: TableHtml, group: StatementGroup): string {
  const rows = group.lines.map((line, index) => {
    const isLast = index === group.lines.length - 1;
    const written = isLast ? `<span class="u1">${tables.amount(line.amount)}</span>` : tables.amount(line.amount);
    const sum = isLast ? figureHtml(tables, group) : '';
    const date = line.date === null ? '' : yearlessDayText(present(dayFromIso(line.date), 'date'));
    return `<tr class="l"><td><div><span class="dt">${date}</span><span>${escaped(rowText(line))}</span></div></td><td class="n">${written}</td><td class="n">${sum}</td></tr>`;
  });
  return `<tr class="g"><td colspan="2">${escaped(group.label)}${noteHtml(group.section)}</td><td></td></tr>${rows.join('')}`;
}

function sideHtml(tables: TableHtml, { title, account, balance, groups, adjusted }: StatementSide): string {
  const widths = '<colgroup><col><col class="n1"><col class="n2"></colgroup>';
  const first = `<tr class="g"><td colspan="2">${escaped(rowText(balance))}${noteHtml('7')}</td><td class="n">${figureHtml(tables, balance)}</td></tr>`;
  const entries = groups.map((group) => groupHtml(tables, group)).join('');
  const last = `<tr class="adj"><td colspan="2">${escaped(adjusted.label)}</td><td class="n"><span class="s2">${figureHtml(tables, adjusted)}</span></td></tr>`;
  return `<div><div class="hd"><b>${escaped(title)}</b><span class="q">${escaped(account)}</span></div><table>${widths}<tbody>${first}${entries}</tbody></table><span class="fill"></span><table>${widths}<tbody>${last}</tbody></table></div>`;
}

function statementHtml(tables: TableHtml, { sides, unexplained, undone, reason, ...verdict }: StatementDocument): string {
  const said = [`${rowText(unexplained)}.`, undone, reason].filter((text) => text !== null).join(' ');
  const result = `<div class="prf${verdict.outcome === 'agree' ? '' : ' no'}"><b>${escaped(verdictText(verdict))}</b><span>${escaped(said)}</span><b class="v"><span class="d2">${figureHtml(tables, unexplained)}</span></b></div>`;
  return `<div class="stm">${sides.map((side) => sideHtml(tables, side)).join('')}</div>${result}`;
}

function signaturesHtml({ statement, signers, remark }: Signatures): string {
  const boxes = signers.map(({ title, name, at, figures }) => {
    const facts = [
      `<dt>Name</dt><dd class="b">${escaped(name ?? '')}</dd>`,
      `<dt>In Tieout</dt><dd>${escaped(at ?? phrase('report.reportHtml.notYet'))}</dd>`,
      `<dt>Figures</dt><dd class="hash">${escaped(figures ?? '–')}</dd>`,
    ];
    return `<div class="c"><h3>${escaped(title)}</h3><dl>${facts.join('')}</dl><div class="ink"><span>Signature</span><span>Date</span></div></div>`;
  });
  return `<div class="sign"><div class="notes"><h3>${escaped(phrase('report.reportHtml.reviewersNotes'))}</h3><i></i><i></i></div><p class="say"><b>${escaped(phrase('report.reportHtml.whatTheReviewerSigns'))}</b> ${escaped(statement)}</p><div class="two">${boxes.join('')}</div><p class="foot">${escaped(remark)}</p></div>`;
}

function blockHtml(tables: TableHtml, block: Block): string {
  switch (block.kind) {
    case 'statement':
      return statementHtml(tables, block.statement);
    case 'table':
      return `<div class="blk">${tables.table(block)}</div>`;
    case 'facts':
      return `<div class="blk">${tables.facts(block)}</div>`;
    case 'pair':
      return `<div class="two blk">${block.blocks.map((each) => `<div>${each.kind === 'table' ? tables.table(each) : tables.facts(each)}</div>`).join('')}</div>`;
    case 'sentences':
      return block.items
        .map(({ lead, text }) => `<p class="say">${lead === null ? '' : `<b>${escaped(lead)}</b> `}${escaped(text)}</p>`)
        .join('');
    case 'signatures':
      return signaturesHtml(block);
  }
}

/** Returns a section with its heading. The statement has no heading of its own, because the title of the page is its heading. */
function sectionHtml(tables: TableHtml, { number, heading, remark, blocks }: Section): string {
  const content = blocks.map((block) => blockHtml(tables, block)).join('');
  if (number === null) return `<section class="sec" id="s0">${content}</section>`;
  const small = remark === null ? '' : `<small>${escaped(remark)}</small>`;
  return `<section class="sec" id="s${escaped(number)}"><h2><span class="k">${escaped(number)}</span>${escaped(heading)}${small}</h2>${content}</section>`;
}
