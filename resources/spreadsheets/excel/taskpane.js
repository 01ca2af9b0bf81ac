/** The pane of Tieout in Excel, and the page in which its functions run. */
import { balance, items, open } from './functions.js';

if (globalThis.CustomFunctions !== undefined) {
  globalThis.CustomFunctions.associate('OPEN', open);
  globalThis.CustomFunctions.associate('BALANCE', balance);
  globalThis.CustomFunctions.associate('ITEMS', items);
}
// Excel keeps the pane, so that its functions say that Tieout is closed even when Excel is started while it is.
void globalThis.navigator.serviceWorker?.register('worker.js').catch(() => undefined);

const byId = (id) => document.querySelector(`#${id}`);
const form = byId('form');
const said = byId('said');
const isInExcel = () => globalThis.Excel !== undefined;

function given() {
  const { link, day } = form.elements;
  return { link: link.value.trim(), day: day.value };
}

/** Shows the figures of the link, or why there are none. Returns whether there are. */
async function show() {
  const { link, day } = given();
  const cells = [...document.querySelectorAll('dd[data-measure]')];
  const values = await Promise.all(cells.map((cell) => open(link, day, cell.dataset.measure)));
  const refusal = values.find((value) => typeof value === 'string' && value.startsWith('#TIEOUT!'));
  for (const [place, cell] of cells.entries()) cell.textContent = refusal === undefined ? shown(values[place], cell.dataset.measure) : '';
  byId('figures').hidden = refusal !== undefined;
  byId('wrong').textContent = refusal ?? '';
  form.elements.link.toggleAttribute('aria-invalid', refusal !== undefined);
  for (const id of ['insert-figures', 'insert-items']) byId(id).disabled = refusal !== undefined;
  said.textContent = '';
  return refusal === undefined;
}

function shown(value, measure) {
  if (measure === 'read_at') return new Date(value).toLocaleString();
  return typeof value === 'number' && measure !== 'count' ? value.toLocaleString(undefined, { minimumFractionDigits: 2 }) : String(value);
}

/** Runs work in the workbook, and says what came of it. */
async function inWorkbook(work, done) {
  if (!isInExcel()) {
    said.textContent = 'Open this pane in Excel to do that.';
    return;
  }
  try {
    await globalThis.Excel.run(work);
    said.textContent = done;
  } catch (error) {
    said.textContent = `Excel did not take it: ${error.message}`;
  }
}

const quoted = (text) => `"${text.replaceAll('"', '""')}"`;
const dayOf = (day) => (day === '' ? '' : `DATE(${day.split('-').map(Number).join(',')})`);

form.addEventListener('submit', (event) => {
  event.preventDefault();
  void show();
});
form.addEventListener('input', () => {
  for (const id of ['insert-figures', 'insert-items']) byId(id).disabled = true;
});
byId('insert-figures').addEventListener('click', () => {
  const { link, day } = given();
  const measures = [...document.querySelectorAll('dl div')].map((row) => [row.querySelector('dt').textContent, row.querySelector('dd').dataset.measure]);
  void inWorkbook(async (context) => {
    const selected = context.workbook.getSelectedRange().getCell(0, 0);
    const first = selected.getOffsetRange(0, 1);
    first.load('address');
    await context.sync();
    const place = first.address.split('!').at(-1).replace(/([A-Z]+)(\d+)/, '$$$1$$$2');
    const rows = measures.map(([words, measure]) => [words, `=TIEOUT.OPEN(${place},${dayOf(day)},${quoted(measure)})`]);
    selected.getResizedRange(rows.length, 1).formulas = [['Sheet link', link], ...rows];
    await context.sync();
  }, 'The figures are in the sheet. They are read again whenever it calculates.');
});
byId('insert-items').addEventListener('click', () => {
  const { link, day } = given();
  void inWorkbook(async (context) => {
    context.workbook.getSelectedRange().getCell(0, 0).formulas = [[`=TIEOUT.ITEMS(${[quoted(link), dayOf(day)].filter((each) => each !== '').join(',')})`]];
    await context.sync();
  }, 'The open items are in the sheet. They are read again whenever it calculates.');
});
byId('refresh').addEventListener('click', () => {
  void inWorkbook(async (context) => {
    context.workbook.application.calculate('Full');
    await context.sync();
  }, 'All cells were read again.');
});
