import { expect, type Page } from '@playwright/test';
import { assert } from '../../../src-shared/values/assert.ts';
import { juneBook } from '../close/june-book.ts';
import { BANK_SAMPLE, fileOf, LEDGER_SAMPLE, newBookFolder, serveBook, type Served, type ServedBook, tieout } from '../served-book.ts';
import { gridRows } from '../window-steps.ts';

/** A screen, a tab or a dialog of the window, and the way to it. */
export interface Spot {
  readonly name: string;
  readonly address: string;
  /** Brings the screen into the state, or shows what opens the dialog. */
  readonly steps?: (page: Page) => Promise<void>;
  /** What opens the dialog, the menu or the panel: its `data-testid`, or a key press. */
  readonly opener?: string | { readonly key: string };
  /** Where it is opened by a testid: whether it is an entry of a menu that closes with it. */
  readonly isInMenu?: boolean;
  /** What gets the focus when it closes, where it is not what opened it: the list that it is about. */
  readonly returnsTo?: string;
}

export const OPENED = '[role="dialog"], [role="menu"], .mantine-Popover-dropdown';

/** A book with something on each screen, and the address of another that it syncs with. */
export interface FullBook {
  readonly here: ServedBook;
  readonly stop: () => Promise<void>;
}

/** Sends a request through the window's own transport. */
async function ask({ ui_url: url }: Served, method: 'POST' | 'PATCH' | 'PUT', path: string, data: object): Promise<unknown> {
  const { origin, hash } = new URL(url);
  const headers = { 'x-tieout-window': hash.replace('#token=', ''), 'content-type': 'application/json' };
  const answer = await fetch(`${origin}/app${path}`, { method, headers, body: JSON.stringify(data) });
  const text = await answer.text();
  assert(answer.status < 300, `${path}: ${answer.status} ${text}`);
  return text === '' ? null : JSON.parse(text);
}

async function makeFull(folder: string): Promise<void> {
  const given = ['--data', folder, '--currency', 'GBP'];
  const done = [
    await tieout('import', LEDGER_SAMPLE, ...given, '--stream', 'ledger', '--name', 'Ledger, cash account', '--no-bank-account'),
    await tieout(
      'import',
      BANK_SAMPLE,
      ...given,
      '--stream',
      'current',
      '--name',
      'Bank, current account',
      '--bank-account',
      'High Street',
    ),
    await tieout('reconcile', '--data', folder, '--a', 'ledger', '--b', 'current', '--name', 'June: ledger and bank'),
  ];
  for (const { code, stderr } of done) expect([0, 1], stderr).toContain(code);
}

/** Serves a book with two reconciliations, a period, an exception, keys, a backup and a remote. */
export async function fullBook(): Promise<FullBook> {
  const folder = await juneBook();
  await makeFull(folder);
  const here = await serveBook(folder);
  const there = await serveBook(newBookFolder());
  const { served } = here;
  await ask(served, 'POST', '/reconciliation_periods', { reconciliation_id: 1, from: '2026-06-01', to: '2026-06-30' });
  await ask(served, 'POST', '/reconciliations/1/records/3/mark_overdue', {}).catch(() => null);
  await ask(served, 'POST', '/reconciliation_exceptions', { reconciliation_id: 1, data_stream_id: 1, title: 'Charges without a voucher' });
  await ask(served, 'POST', '/api_keys', { environment: 'live', permission: 'read', name: 'Spreadsheet' });
  await ask(served, 'POST', '/backups', {});
  const { base_url, api_key } = there.served;
  await ask(served, 'POST', '/sync_remotes', { name: 'Head office', base_url, api_key });
  return {
    here,
    stop: async () => {
      await here.stop();
      await there.stop();
    },
  };
}

const pick =
  (grid: string) =>
  async (page: Page): Promise<void> =>
    gridRows(page, grid).first().click();

const pickBoth = async (page: Page): Promise<void> => {
  await pick('grid-a')(page);
  await pick('grid-b')(page);
};

const choose =
  (file: string) =>
  async (page: Page): Promise<void> => {
    await page.getByTestId('file-input').setInputFiles(file);
    await expect(page.getByTestId('import-preview')).toBeVisible({ timeout: 30_000 });
  };

const press =
  (...ids: readonly string[]) =>
  async (page: Page): Promise<void> => {
    for (const id of ids) await page.getByTestId(id).filter({ visible: true }).first().click();
  };

const SETTINGS = { address: '/settings' } as const;
const CLOSE = { address: '/reconciliations/1/close?period=1' } as const;

export const SCREENS: readonly Spot[] = [
  { name: 'home', address: '/' },
  { name: 'import', address: '/import' },
  { name: 'import into an account', address: '/import/bank' },
  {
    name: 'preview of a file',
    address: '/import',
    steps: choose(fileOf('july.csv', 'Date,Details,Amount\n01/07/2026,Rent,-5.00\n02/07/2026,Odd,x\n')),
  },
  { name: 'open lines', address: '/reconciliations/2' },
  { name: 'open lines with two selected', address: '/reconciliations/2', steps: pickBoth },
  { name: 'proposed', address: '/reconciliations/2/proposed' },
  { name: 'matched', address: '/reconciliations/2/matched', steps: pick('grid-matched') },
  { name: 'lines kept apart', address: '/reconciliations/2/matched', steps: press('taken-apart-button') },
  { name: 'rules', address: '/reconciliations/2/rules' },
  { name: 'runs', address: '/reconciliations/2/runs', steps: press('run-toggle') },
  { name: 'evidence', address: '/reconciliations/2/evidence' },
  { name: 'close without a period', address: '/reconciliations/2/close' },
  { name: 'close', ...CLOSE },
  { name: 'close with an item unfolded', ...CLOSE, steps: press('unfold-item') },
  { name: 'records', address: '/records' },
  { name: 'a record', address: '/records/1' },
  { name: 'a record edited', address: '/records/8', steps: press('record-edit') },
  { name: 'history', address: '/history' },
  { name: 'exceptions', address: '/exceptions' },
  { name: 'accounts', address: '/accounts' },
  { name: 'a bank account', address: '/accounts/1' },
  { name: 'an account of lines', address: '/streams/bank' },
  { name: 'sync', address: '/sync?tab=next' },
  { name: 'sync, to decide', address: '/sync?tab=decide' },
  { name: 'sync, history', address: '/sync?tab=history' },
  { name: 'settings', ...SETTINGS },
];

export const DIALOGS: readonly Spot[] = [
  { name: 'palette', address: '/', opener: 'palette-button' },
  { name: 'keyboard help', address: '/', opener: 'keyboard-help' },
  { name: 'menu of the colours', address: '/', opener: 'color-scheme' },
  { name: 'menu of the places', address: '/reconciliations/2', opener: 'place-menu' },
  { name: 'new reconciliation', address: '/', opener: 'new-reconciliation' },
  { name: 'reconciliation edited', address: '/reconciliations/2', opener: 'edit-reconciliation' },
  { name: 'sums', address: '/reconciliations/2', steps: pick('grid-b'), opener: 'sums-button' },
  { name: 'line in full', address: '/reconciliations/2', steps: pick('grid-a'), opener: { key: 'Enter' } },
  { name: 'menu of a line', address: '/reconciliations/2', steps: pick('grid-a'), opener: { key: 'Shift+F10' } },
  { name: 'difference', address: '/reconciliations/2', steps: pickBoth, opener: 'match-button', returnsTo: 'grid-b' },
  { name: 'filters', address: '/reconciliations/2/matched', opener: 'filters-matched' },
  { name: 'export', address: '/reconciliations/2/matched', opener: 'export-matched' },
  { name: 'new rule', address: '/reconciliations/2/rules', opener: 'add-rule' },
  { name: 'undo of a run', address: '/reconciliations/2/runs', steps: press('run-toggle'), opener: 'undo-run' },
  { name: 'days of a period', address: '/reconciliations/2/close', opener: 'other-days' },
  { name: 'menu of the periods', ...CLOSE, opener: 'period-menu' },
  { name: 'days changed', ...CLOSE, steps: press('period-menu'), opener: 'edit-days', isInMenu: true, returnsTo: 'period-menu' },
  { name: 'bank side', ...CLOSE, steps: press('period-menu'), opener: 'change-bank-side', isInMenu: true, returnsTo: 'period-menu' },
  { name: 'lines of a figure', ...CLOSE, opener: 'figure' },
  { name: 'new exception', address: '/exceptions', opener: 'new-exception' },
  { name: 'linked bank account', address: '/streams/bank', opener: 'link-account' },
  { name: 'date of an account', address: '/streams/bank', opener: 'read-by' },
  { name: 'undo of an import', address: '/streams/bank', opener: 'undo-import' },
  { name: 'currency of an import', address: '/streams/bank', opener: 'correct-currency' },
  { name: 'bank account edited', address: '/accounts/1', opener: 'edit-account' },
  { name: 'bank account deleted', address: '/accounts/1', opener: 'delete-account' },
  { name: 'new key', ...SETTINGS, opener: 'new-key' },
  { name: 'new sheet link', ...SETTINGS, opener: 'new-sheet-link' },
  { name: 'key revoked', ...SETTINGS, opener: 'revoke-key' },
  { name: 'backup restored', ...SETTINGS, opener: 'restore-backup' },
  { name: 'remote added', ...SETTINGS, opener: 'add-remote' },
  { name: 'remote edited', ...SETTINGS, opener: 'edit-remote' },
  { name: 'remote removed', ...SETTINGS, opener: 'remove-remote' },
  { name: 'licences', ...SETTINGS, opener: 'show-licences' },
];

/** The first screen and all others while a book holds nothing. */
export const EMPTY: readonly Spot[] = ['/', '/import', '/records', '/history', '/exceptions', '/accounts', '/sync', '/settings'].map(
  (address) => ({
    name: `${address} of an empty book`,
    address,
  }),
);

/** Waits until nothing loads. */
export async function settled(page: Page): Promise<void> {
  await expect(page.locator('[aria-busy="true"], .mantine-Skeleton-root, .ag-row-loading').filter({ visible: true })).toHaveCount(0);
  await expect(page.getByRole('heading', { level: 1 }).first()).toBeAttached();
}

/** Goes to the spot, as far as what opens its dialog. */
export async function goTo(page: Page, { address, steps }: Spot): Promise<void> {
  // The state of a screen is left behind by going elsewhere.
  await page.evaluate(() => (globalThis.location.hash = '/accounts/9007199254740990'));
  await page.evaluate((place) => (globalThis.location.hash = place), address);
  await settled(page);
  await steps?.(page);
  await settled(page);
}

/** Opens the dialog of the spot, where it has one, by keyboard. */
export async function open(page: Page, { opener }: Spot): Promise<void> {
  if (opener === undefined) return;
  if (typeof opener === 'string') {
    const button = page.getByTestId(opener).filter({ visible: true }).first();
    await button.focus();
    await page.keyboard.press('Enter');
  } else await page.keyboard.press(opener.key);
  await expect(page.locator(OPENED).filter({ visible: true }).first()).toBeVisible();
  await settled(page);
}

/** Closes what is open. Within a dialog the first Esc closes a list that its field has opened. */
export async function close(page: Page): Promise<void> {
  await expect(async () => {
    await page.keyboard.press('Escape');
    await expect(page.locator(OPENED).filter({ visible: true })).toHaveCount(0, { timeout: 1_000 });
  }).toPass({ timeout: 10_000 });
}
