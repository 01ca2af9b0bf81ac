import type { PeriodOpenItem, PeriodStatement, StatementRow, StatementSide } from '../../src-shared/contract/index.ts';
import { present } from '../../src-shared/values/assert.ts';
import { dayFromIso } from '../../src-shared/values/civil-date.ts';
import { amountText } from '../domain/ledger/index.ts';
import { momentText, rowText, verdictText } from '../domain/report/index.ts';
import { EXIT, type ExitCode } from './output.ts';
import type { Session } from './session.ts';
import { say } from '../../src-shared/words/say.ts';
import { dateText, yearlessDayText } from '../../src-shared/values/notation.ts';

const LONGEST_LABEL = 56;
const AMOUNT = 16;
/** Most open items in the text; `--json` and the reports have all of them. */
const LISTED = 50;

type Cell = readonly [label: string, amount: string];

/** Returns the cells of a side from its opening balance to its adjusted balance. */
function sideCells({ title, account, movement, balance, groups, adjusted }: StatementSide, places: number): Cell[] {
  const cell = (row: StatementRow): Cell => [rowText(row), row.amount === null ? row.unknown : amountText(row.amount, places)];
  return [
    [`${title}  ${account}`, ''],
    ...movement.map(cell),
    cell(balance),
    ...groups.flatMap((group): Cell[] => [
      [`${group.label} (${group.count})`, amountText(group.amount, places)],
      ...group.lines.map((line): Cell => {
        const date = line.date === null ? '' : `${yearlessDayText(present(dayFromIso(line.date), 'date'))} `;
        return [`  ${date}${rowText(line)}`, amountText(line.amount, places)];
      }),
    ]),
    cell(adjusted),
  ];
}

/** Returns two sides next to each other. Their first lines, the opening balances, and their last lines, the adjusted balances, are level. */
function columns([left, right]: readonly [readonly Cell[], readonly Cell[]]): string[] {
  const height = Math.max(left.length, right.length);
  const written = (cells: readonly Cell[]): string[] => {
    const width = Math.min(LONGEST_LABEL, Math.max(...cells.map(([label]) => label.length)));
    const rows = cells.map(([label, amount]) => {
      const shown = label.length > width ? `${label.slice(0, width - 1)}…` : label;
      return `${shown.padEnd(width)}${amount.padStart(AMOUNT)}`;
    });
    const blank = ' '.repeat(width + AMOUNT);
    return [...rows.slice(0, -1), ...Array.from({ length: height - rows.length }, () => blank), ...rows.slice(-1)];
  };
  const others = written(right);
  return written(left).map((line, place) => `${line}    ${others[place] ?? ''}`.trimEnd());
}

function itemLine(item: PeriodOpenItem, { document: { sides }, decimal_places: places }: PeriodStatement): string {
  const label = [item.reference, item.description === item.reference ? null : item.description].filter((text) => text !== null).join(' ');
  const [first] = item.causes;
  const cause = first === undefined ? '' : `\n      ${first.sentence}`;
  const side = sides.find((each) => each.side === item.side)?.title ?? '';
  return `  ${dateText(item.date)} ${side.padEnd(7)}${amountText(item.amount, places).padStart(AMOUNT)}  ${label}${cause}`;
}

function signLines({ sign_offs: signOffs, changes, change_count: count, stale }: PeriodStatement): string[] {
  const words = {
    prepare: say('commands.statementText.prepared'),
    review: say('commands.statementText.reviewed'),
    close: say('commands.statementText.closed'),
    reopen: say('commands.statementText.reopened'),
  } as const;
  const lines = signOffs.map(({ kind, by, at, reason }) =>
    say('commands.statementText.by', { words: words[kind], by, at: momentText(at), reason: reason === null ? '' : `: ${reason}` }),
  );
  if (!stale) return lines;
  const listed = changes.slice(0, LISTED).map(({ kind, id, before, after }) => {
    const what = before === null ? 'came' : after === null ? 'went' : 'changed';
    return `  ${kind}${id === null ? '' : ` ${id}`} ${what}: ${JSON.stringify(before)} -> ${JSON.stringify(after)}`;
  });
  return [...lines, say('commands.statementText.changesSinceItWasSignedLast', { changes: count }), ...listed];
}

/** Returns the verdict of each currency: whether its figures agree, and if not, why. */
export function verdictsText({ currencies }: Pick<PeriodStatement, 'currencies'>): string {
  const all = currencies.map(({ currency, verdict }) => (currencies.length === 1 ? verdict : `${currency}: ${verdict}`));
  return withHyphens(all.join(' '));
}

/** Replaces the typographic minus, which not every terminal shows. */
const withHyphens = (text: string): string => text.replaceAll('−', '-');

/** Returns the lines of a statement, the bank on the left and the books on the right. */
export function statementLines(statement: PeriodStatement): string[] {
  const { document, reconciliation, period, currency, state, stale } = statement;
  const { unexplained, decimal_places: places, sides } = document;
  const others = statement.currencies.filter((other) => other.currency !== currency);
  const hidden = statement.open_items.length - LISTED;
  const open = say('commands.statementText.openItems', {
    openItemCount: statement.open_item_count,
    proposed: statement.proposed_item_count,
  });
  return [
    `${reconciliation.name}, ${period.name} (${currency}): ${stale ? say('commands.statementText.changedSinceItWasSigned', { state }) : state}`,
    ...(others.length === 0
      ? []
      : [say('commands.statementText.statementsOfTheirOwn', { others: others.map((other) => other.currency).join(', ') })]),
    '',
    `${document.title}, ${document.subtitle}`,
    '',
    ...columns([sideCells(sides[0], places), sideCells(sides[1], places)]),
    '',
    `${rowText(unexplained)}: ${unexplained.amount === null ? unexplained.unknown : amountText(unexplained.amount, places)}`,
    verdictText(document),
    ...[document.undone, document.reason].filter((text) => text !== null),
    ...others.filter(({ agrees }) => !agrees).map((other) => `${other.currency}: ${other.verdict}`),
    ...(statement.open_items.length === 0 ? [] : ['', open]),
    ...statement.open_items.slice(0, LISTED).map((item) => itemLine(item, statement)),
    ...(hidden > 0 ? [`  ${say('commands.statementText.andMore', { hidden })}`] : []),
    ...(statement.warnings.length === 0
      ? []
      : ['', ...statement.warnings.map(({ message }) => say('commands.statementText.note', { message }))]),
    ...(statement.sign_offs.length === 0 ? [] : ['', ...signLines(statement)]),
  ].map(withHyphens);
}

/** Returns the statement of a period with all its open items, in the given currency. */
export async function wholeStatement({ client }: Session, id: number, currency: string | undefined): Promise<PeriodStatement> {
  const { statement } = await client.get('periods.get', { id, currency });
  const items = [...statement.open_items];
  while (items.length < statement.open_item_count) {
    const page = await client.get('periods.open_items', { id, currency: statement.currency, limit: 100, offset: items.length });
    items.push(...page.data);
    if (page.data.length === 0) break;
  }
  return { ...statement, open_items: items };
}

/** Returns 0 where the figures of all currencies agree and no work in progress may change them, else 1. */
export function exitCodeOf({ agrees, warnings }: PeriodStatement): ExitCode {
  return agrees && !warnings.some(({ code }) => code === 'work_in_progress') ? EXIT.fine : EXIT.problems;
}
