import { dayText } from '../../ledger/index.ts';
import type { Block, Figure, Section, Signatures, StatementBlock, StatementColumn, StatementGroup } from '../model/document.ts';
import { escaped } from './escape.ts';
import type { PageFigures } from './figures.ts';
import type { TableHtml } from './table-html.ts';

interface Writers {
  readonly figures: PageFigures;
  readonly tables: TableHtml;
}

const UNNAMED = { name: null, adds: null };

/** Anchor of the section that a note number leads to. */
function anchorOf(note: string): string {
  return `s${note.split('.')[0] ?? ''}`;
}

function figureHtml(figures: PageFigures, figure: Figure, parts: readonly number[] | null = null): string {
  if (figure.value === null) return '<span class="q">not known</span>';
  return figures.write(figure.value, figures.text(figure.value, 'amount'), figure, parts);
}

function groupHtml({ figures }: Writers, { title, note, lines, total }: StatementGroup): string {
  const heading = `<tr class="g"><td colspan="2">${escaped(title)}<a class="note" href="#${anchorOf(note)}">${escaped(note)}</a></td><td></td></tr>`;
  const parts: number[] = [];
  const rows = lines.map(({ day, text, amount }, index) => {
    parts.push(figures.next);
    const isLast = index === lines.length - 1;
    const figure = figures.write(amount, figures.text(amount, 'amount'), UNNAMED);
    const written = isLast ? `<span class="u1">${figure}</span>` : figure;
    const sum = isLast ? figureHtml(figures, total, parts) : '';
    const date = day === null ? '' : dayText(day).slice(0, 5);
    return `<tr class="l"><td><div><span class="dt">${date}</span><span>${escaped(text)}</span></div></td><td class="n">${written}</td><td class="n">${sum}</td></tr>`;
  });
  return heading + rows.join('');
}

function columnHtml(writers: Writers, { title, subtitle, balance, missing, groups, adjusted }: StatementColumn): string {
  const widths = '<colgroup><col><col class="n1"><col class="n2"></colgroup>';
  const first = `<tr class="g"><td colspan="2">${escaped(balance.title)}<a class="note" href="#s7">7</a></td><td class="n">${figureHtml(writers.figures, balance.figure)}</td></tr>`;
  const apart =
    missing === null
      ? ''
      : `<tr class="l"><td><div><span class="dt"></span><span>${escaped(missing.title)}</span></div></td><td class="n">${figureHtml(writers.figures, missing.figure)}</td><td class="n"></td></tr>`;
  const entries = groups.map((group) => groupHtml(writers, group)).join('');
  const last = `<tr class="adj"><td colspan="2">${escaped(adjusted.title)}</td><td class="n"><span class="s2">${figureHtml(writers.figures, adjusted.figure)}</span></td></tr>`;
  return `<div><div class="hd"><b>${escaped(title)}</b><span class="q">${escaped(subtitle)}</span></div><table>${widths}<tbody>${first}${apart}${entries}</tbody></table><span class="fill"></span><table>${widths}<tbody>${last}</tbody></table></div>`;
}

function statementHtml(writers: Writers, { columns, agrees, verdict, remark, unexplained }: StatementBlock): string {
  const sides = columns.map((column) => columnHtml(writers, column)).join('');
  const result = `<div class="prf${agrees ? '' : ' no'}"><b>${escaped(verdict)}</b><span>${escaped(remark)}</span><b class="v"><span class="d2">${figureHtml(writers.figures, unexplained)}</span></b></div>`;
  return `<div class="stm">${sides}</div>${result}`;
}

function signaturesHtml({ statement, signers, remark }: Signatures): string {
  const boxes = signers.map(({ title, name, at, fingerprint }) => {
    const facts = [
      `<dt>Name</dt><dd class="b">${escaped(name ?? '')}</dd>`,
      `<dt>In Tieout</dt><dd>${escaped(at ?? 'Not yet')}</dd>`,
      `<dt>Fingerprint</dt><dd class="hash">${escaped(fingerprint ?? '–')}</dd>`,
    ];
    return `<div class="c"><h3>${escaped(title)}</h3><dl>${facts.join('')}</dl><div class="ink"><span>Signature</span><span>Date</span></div></div>`;
  });
  return `<div class="sign"><div class="notes"><h3>Reviewer’s notes</h3><i></i><i></i></div><p class="say"><b>What the reviewer signs:</b> ${escaped(statement)}</p><div class="two">${boxes.join('')}</div><p class="foot">${escaped(remark)}</p></div>`;
}

function blockHtml(writers: Writers, block: Block): string {
  switch (block.kind) {
    case 'statement':
      return statementHtml(writers, block);
    case 'table':
      return `<div class="blk">${writers.tables.table(block)}</div>`;
    case 'facts':
      return `<div class="blk">${writers.tables.facts(block)}</div>`;
    case 'pair':
      return `<div class="two blk">${block.blocks.map((each) => `<div>${each.kind === 'table' ? writers.tables.table(each) : writers.tables.facts(each)}</div>`).join('')}</div>`;
    case 'sentences':
      return block.items
        .map(({ lead, text }) => `<p class="say">${lead === null ? '' : `<b>${escaped(lead)}</b> `}${escaped(text)}</p>`)
        .join('');
    case 'signatures':
      return signaturesHtml(block);
  }
}

/** A section with its heading; the statement has none of its own, since the page's title is its heading. */
export function sectionHtml(writers: Writers, { number, heading, remark, blocks }: Section): string {
  const content = blocks.map((block) => blockHtml(writers, block)).join('');
  if (number === null) return `<section class="sec" id="s0">${content}</section>`;
  const small = remark === null ? '' : `<small>${escaped(remark)}</small>`;
  return `<section class="sec" id="s${escaped(number)}"><h2><span class="k">${escaped(number)}</span>${escaped(heading)}${small}</h2>${content}</section>`;
}
