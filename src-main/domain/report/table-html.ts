import { counted, dayText } from '../ledger/index.ts';
import { groupedHash, readableAmount } from './report-words.ts';
import type { Cell, Column, ColumnKind, Facts, Group, Row, Table, Total } from './document.ts';
import { sumOf } from './table-parts.ts';
import { escaped } from './escape.ts';

const WHOLE_HASH = /^[0-9a-f]{64}$/;

function textOf(text: string): string {
  return WHOLE_HASH.test(text) ? `<span class="hash">${groupedHash(text)}</span>` : escaped(text);
}

const isFigure = ({ kind }: Column): boolean => kind === 'amount' || kind === 'count';

/** Widths as shares of the whole, with room for the box in front. */
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
export class TableHtml {
  readonly #decimalPlaces: number;

  constructor(decimalPlaces: number) {
    this.#decimalPlaces = decimalPlaces;
  }

  amount(value: number): string {
    return this.#number(value, 'amount');
  }

  /** An amount with the places of the currency, a count in groups of three. */
  #number(value: number, kind: ColumnKind): string {
    return `<span class="f">${escaped(readableAmount(value, kind === 'count' ? 0 : this.#decimalPlaces))}</span>`;
  }

  #figure(column: Column, value: number): string {
    // A number by which a thing is known has no groups.
    const isNumber = column.title === 'No.' || column.title === 'Record';
    if (isNumber) return `<span class="f">${value}</span>`;
    // A difference of nothing is a dash, so that the eye finds the others.
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

  /** What the rows left out come to, in one row. */
  #rest(rows: readonly Row[], table: Table): string {
    const left = rows.filter(({ isContinued }) => !isContinued).length;
    const cells: Cell[] = table.columns.map(({ kind }, place) => (kind === 'amount' ? sumOf(rows, place) : null));
    const text = table.columns.findIndex(({ kind }) => kind === 'text');
    cells[text] = `${counted(left, 'more', 'more')}, each listed in the workbook and the close pack`;
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
