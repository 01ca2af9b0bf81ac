/** The functions of Tieout for Excel: they read figures by a sheet link, and say in the cell what is wrong. */

const NOT_RUNNING = '#TIEOUT! not running';
const NO_LINK = '#TIEOUT! this is no sheet link';
const LINK = /^https?:\/\/[^/]+\/sheet\/[^/?#]+$/;
const NUMBER = /^-?\d+(?:\.\d+)?$/;
const DAY = /^\d{4}-\d{2}-\d{2}$/;
const LOCAL = /^(?:127\.0\.0\.1|localhost|\[::1\])$/;
const SECONDS = 10;
const DAY_MS = 86_400_000;
/** Day 0 of a date in a cell. */
const DAY_ZERO = Date.UTC(1899, 11, 30);
/** The last day that a cell can show, 31 December 9999. */
const LAST_DAY = 2_958_465;

/** The columns of a table of open items, with their headings. */
const COLUMNS = [
  ['date', 'Date'],
  ['account', 'Account'],
  ['reference', 'Reference'],
  ['description', 'Description'],
  ['amount_decimal', 'Amount'],
  ['currency', 'Currency'],
  ['age_days', 'Age in days'],
  ['status', 'Status'],
];

/** Returns a day of a cell as the address has it, or an empty text. What is no date is sent as it is, and refused. */
function dayText(given) {
  if (given === null || given === undefined || given === '' || given === 0) return '';
  const isDay = typeof given === 'number' && given >= 1 && given < LAST_DAY + 1;
  return isDay ? new Date(DAY_ZERO + Math.trunc(given) * DAY_MS).toISOString().slice(0, 10) : String(given);
}

/** Returns the link on the origin of this add-in where both are this computer at one port, since a page reads its own origin without being allowed. */
function ownAddress(link) {
  const { protocol, hostname, port, pathname } = new URL(link);
  const page = globalThis.location;
  const isOwn = page !== undefined && page.port === port && LOCAL.test(page.hostname) && LOCAL.test(hostname);
  return isOwn ? `${page.origin}${pathname}` : `${protocol}//${hostname}${port === '' ? '' : `:${port}`}${pathname}`;
}

/** Returns what a sheet link answers. Nothing is kept, so an old figure never stands in for a new one. */
async function read(link, figure, asked) {
  const given = String(link ?? '').trim().replace(/\/+$/, '');
  if (!LINK.test(given)) return NO_LINK;
  const address = ownAddress(given);
  const query = new URLSearchParams(Object.entries(asked).filter(([, value]) => value !== '' && value !== null && value !== undefined));
  try {
    const answer = await fetch(`${address}/${figure}?${query}`, { cache: 'no-store', signal: AbortSignal.timeout(SECONDS * 1000) });
    if (!answer.ok) return NOT_RUNNING;
    return (await answer.text()).replace(/^\uFEFF/, '');
  } catch {
    const origin = globalThis.location?.origin;
    const isOther = origin !== undefined && !address.startsWith(`${origin}/`);
    return isOther ? `${NOT_RUNNING}, or its settings do not allow ${origin}` : NOT_RUNNING;
  }
}

function cell(text) {
  return NUMBER.test(text) ? Number(text) : text;
}

/** Returns the cells of CSV, row by row. */
function rowsOf(csv) {
  const rows = [[]];
  for (const [, quoted, plain, end] of csv.matchAll(/(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r?\n|$)/g)) {
    rows.at(-1).push(quoted === undefined ? plain : quoted.replaceAll('""', '"'));
    if (end === '') break;
    if (end !== ',') rows.push([]);
  }
  return rows.filter((row) => row.length > 1 || row[0] !== '');
}

function tableCell(name, text) {
  if (name === 'date' && DAY.test(text)) {
    return { type: 'FormattedNumber', basicValue: (Date.parse(text) - DAY_ZERO) / DAY_MS, numberFormat: 'yyyy-mm-dd' };
  }
  return name === 'amount_decimal' || name === 'age_days' ? cell(text) : text;
}

/** What is open: `measure` is net, count, receipts, payments or read_at. */
export async function open(link, day, measure) {
  return cell(await read(link, 'open', { as_of: dayText(day), measure }));
}

/** The balance of an account. */
export async function balance(link, account, day) {
  return cell(await read(link, 'accounts', { account, as_of: dayText(day) }));
}

/** The open items, a row for each below a heading. */
export async function items(link, day) {
  const text = await read(link, 'items', { as_of: dayText(day), format: 'csv' });
  if (text.startsWith('#TIEOUT!')) return [[text]];
  const [header = [], ...rows] = rowsOf(text);
  const places = COLUMNS.map(([name]) => [name, header.indexOf(name)]);
  return [COLUMNS.map(([, heading]) => heading), ...rows.map((row) => places.map(([name, place]) => tableCell(name, row[place] ?? '')))];
}
