import { dayText } from '../ledger/index.ts';
import type { Block, Figure, Section, Signatures, StatementBlock, StatementColumn, StatementGroup } from './document.ts';
import { escaped } from './escape.ts';
import type { TableHtml } from './table-html.ts';

/** Anchor of the section that a note number leads to. */
function anchorOf(note: string): string {
  return `s${note.split('.')[0] ?? ''}`;
}

function figureHtml(tables: TableHtml, { value }: Figure): string {
  return value === null ? '<span class="q">not known</span>' : tables.amount(value);
}

function groupHtml(tables: TableHtml, { title, note, lines, total }: StatementGroup): string {
  const heading = `<tr class="g"><td colspan="2">${escaped(title)}<a class="note" href="#${anchorOf(note)}">${escaped(note)}</a></td><td></td></tr>`;
  const rows = lines.map(({ day, text, amount }, index) => {
    const isLast = index === lines.length - 1;
    const written = isLast ? `<span class="u1">${tables.amount(amount)}</span>` : tables.amount(amount);
    const sum = isLast ? figureHtml(tables, total) : '';
    const date = day === null ? '' : dayText(day).slice(0, 5);
    return `<tr class="l"><td><div><span class="dt">${date}</span><span>${escaped(text)}</span></div></td><td class="n">${written}</td><td class="n">${sum}</td></tr>`;
  });
  return heading + rows.join('');
}

function columnHtml(tables: TableHtml, { title, subtitle, balance, missing, groups, adjusted }: StatementColumn): string {
  const widths = '<colgroup><col><col class="n1"><col class="n2"></colgroup>';
  const first = `<tr class="g"><td colspan="2">${escaped(balance.title)}<a class="note" href="#s7">7</a></td><td class="n">${figureHtml(tables, balance.figure)}</td></tr>`;
  const apart =
    missing === null
      ? ''
      : `<tr class="l"><td><div><span class="dt"></span><span>${escaped(missing.title)}</span></div></td><td class="n">${figureHtml(tables, missing.figure)}</td><td class="n"></td></tr>`;
  const entries = groups.map((group) => groupHtml(tables, group)).join('');
  const last = `<tr class="adj"><td colspan="2">${escaped(adjusted.title)}</td><td class="n"><span class="s2">${figureHtml(tables, adjusted.figure)}</span></td></tr>`;
  return `<div><div class="hd"><b>${escaped(title)}</b><span class="q">${escaped(subtitle)}</span></div><table>${widths}<tbody>${first}${apart}${entries}</tbody></table><span class="fill"></span><table>${widths}<tbody>${last}</tbody></table></div>`;
}

function statementHtml(tables: TableHtml, { columns, agrees, verdict, remark, unexplained }: StatementBlock): string {
  const sides = columns.map((column) => columnHtml(tables, column)).join('');
  const result = `<div class="prf${agrees ? '' : ' no'}"><b>${escaped(verdict)}</b><span>${escaped(remark)}</span><b class="v"><span class="d2">${figureHtml(tables, unexplained)}</span></b></div>`;
  return `<div class="stm">${sides}</div>${result}`;
}

function signaturesHtml({ statement, signers, remark }: Signatures): string {
  const boxes = signers.map(({ title, name, at, figures }) => {
    const facts = [
      `<dt>Name</dt><dd class="b">${escaped(name ?? '')}</dd>`,
      `<dt>In Tieout</dt><dd>${escaped(at ?? 'Not yet')}</dd>`,
      `<dt>Figures</dt><dd class="hash">${escaped(figures ?? '–')}</dd>`,
    ];
    return `<div class="c"><h3>${escaped(title)}</h3><dl>${facts.join('')}</dl><div class="ink"><span>Signature</span><span>Date</span></div></div>`;
  });
  return `<div class="sign"><div class="notes"><h3>Reviewer’s notes</h3><i></i><i></i></div><p class="say"><b>What the reviewer signs:</b> ${escaped(statement)}</p><div class="two">${boxes.join('')}</div><p class="foot">${escaped(remark)}</p></div>`;
}

function blockHtml(tables: TableHtml, block: Block): string {
  switch (block.kind) {
    case 'statement':
      return statementHtml(tables, block);
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

/** A section with its heading; the statement has none of its own, since the page's title is its heading. */
export function sectionHtml(tables: TableHtml, { number, heading, remark, blocks }: Section): string {
  const content = blocks.map((block) => blockHtml(tables, block)).join('');
  if (number === null) return `<section class="sec" id="s0">${content}</section>`;
  const small = remark === null ? '' : `<small>${escaped(remark)}</small>`;
  return `<section class="sec" id="s${escaped(number)}"><h2><span class="k">${escaped(number)}</span>${escaped(heading)}${small}</h2>${content}</section>`;
}
