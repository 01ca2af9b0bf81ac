/** Tabs of a reconciliation in the address. The first tab is not named there. */
const TABS = ['proposed', 'matched', 'rules', 'runs', 'evidence'] as const;

/** A reconciliation. The open lines of both sides are searched for `find`. */
interface ReconciliationPlace {
  readonly screen: 'reconciliation';
  readonly id: number;
  readonly tab?: (typeof TABS)[number];
  readonly find?: string;
}

/** Tabs of the sync screen. Without one the screen chooses the tab that needs attention. */
const SYNC_TABS = ['next', 'decide', 'history'] as const;
export type SyncTab = (typeof SYNC_TABS)[number];

/** The sync with a remote; without an id the first remote. `conflict` is the one to show. */
export interface SyncPlace {
  readonly screen: 'sync';
  readonly id: number | null;
  readonly tab?: SyncTab;
  readonly conflict?: number;
}

/** A place that the window can be at. */
export type Place =
  | { readonly screen: 'book' }
  | { readonly screen: 'import'; readonly streamKey: string | null }
  | ReconciliationPlace
  /** The close of a reconciliation; without a period the newest one. */
  | { readonly screen: 'close'; readonly key: number; readonly periodId: number | null }
  | { readonly screen: 'stream'; readonly key: string }
  | { readonly screen: 'accounts' }
  /** All lines of the book, or at first those of one stream; one of them may be shown in full. */
  | { readonly screen: 'records'; readonly streamKey: string | null; readonly recordId?: number }
  | { readonly screen: 'account'; readonly id: number }
  | { readonly screen: 'history' }
  | { readonly screen: 'exceptions' }
  | SyncPlace
  /** The tables of a database, to be reconciled there. */
  | { readonly screen: 'database'; readonly id: number }
  | { readonly screen: 'settings' };

function queryText(parts: Readonly<Record<string, string | undefined>>): string {
  const given = Object.entries(parts).filter((part): part is [string, string] => part[1] !== undefined);
  return given.length === 0 ? '' : `?${given.map(([name, value]) => `${name}=${encodeURIComponent(value)}`).join('&')}`;
}

/** Returns the place as text for the address, behind `#`. */
export function placeText(place: Place): string {
  switch (place.screen) {
    case 'book':
      return '/';
    case 'import':
      return place.streamKey === null ? '/import' : `/import/${encodeURIComponent(place.streamKey)}`;
    case 'reconciliation':
      return `/reconciliations/${place.id}${place.tab === undefined ? '' : `/${place.tab}`}${queryText({ find: place.find })}`;
    case 'close':
      return `/reconciliations/${place.key}/close${queryText({ period: place.periodId?.toString() })}`;
    case 'stream':
      return `/streams/${encodeURIComponent(place.key)}`;
    case 'records':
      return `/records${place.recordId === undefined ? '' : `/${place.recordId}`}${queryText({ stream: place.streamKey ?? undefined })}`;
    case 'accounts':
      return '/accounts';
    case 'account':
      return `/accounts/${place.id}`;
    case 'sync':
      return `/sync${place.id === null ? '' : `/${place.id}`}${queryText({ tab: place.tab, conflict: place.conflict?.toString() })}`;
    case 'database':
      return `/databases/${place.id}`;
    case 'history':
      return '/history';
    case 'exceptions':
      return '/exceptions';
    case 'settings':
      return '/settings';
  }
}

function decoded(text: string): string | null {
  try {
    return decodeURIComponent(text);
  } catch {
    return null;
  }
}

const ID = /^[1-9]\d{0,15}$/;
const idOf = (text: string | null): number | null => (text !== null && ID.test(text) ? Number(text) : null);

function reconciliationFrom(id: number, part: string, query: URLSearchParams): Place {
  if (part === 'close') return { screen: 'close', key: id, periodId: idOf(query.get('period')) };
  const tab = TABS.find((name) => name === part);
  const find = query.get('find') ?? '';
  return { screen: 'reconciliation', id, ...(tab === undefined ? {} : { tab }), ...(find === '' ? {} : { find }) };
}

function syncFrom(id: number | null, query: URLSearchParams): SyncPlace {
  const tab = SYNC_TABS.find((name) => name === query.get('tab'));
  const conflict = idOf(query.get('conflict'));
  return { screen: 'sync', id, ...(tab === undefined ? {} : { tab }), ...(conflict === null ? {} : { conflict }) };
}

/** Returns the place that the text of an address names; the book when it names none. */
export function placeFrom(text: string): Place {
  const mark = text.indexOf('?');
  const [path, query] = mark < 0 ? [text, ''] : [text.slice(0, mark), text.slice(mark + 1)];
  const [area = '', given = '', part = ''] = path.replace(/^\//, '').split('/');
  const rest = decoded(given);
  if (area === 'import') return { screen: 'import', streamKey: rest === null || rest === '' ? null : rest };
  const id = idOf(given);
  // A link from another program names one thing: `tieout://reconciliation/7`, `tieout://record/123`.
  if ((area === 'reconciliations' || area === 'reconciliation') && id !== null)
    return reconciliationFrom(id, part, new URLSearchParams(query));
  if ((area === 'accounts' || area === 'account') && id !== null) return { screen: 'account', id };
  if (area === 'accounts' && given === '') return { screen: 'accounts' };
  if (area === 'streams' && rest !== null && rest !== '') return { screen: 'stream', key: rest };
  if (area === 'records' || area === 'record') {
    return { screen: 'records', streamKey: new URLSearchParams(query).get('stream') || null, ...(id === null ? {} : { recordId: id }) };
  }
  if (area === 'databases' && id !== null) return { screen: 'database', id };
  if (area === 'history') return { screen: 'history' };
  if (area === 'exceptions') return { screen: 'exceptions' };
  if (area === 'sync') return syncFrom(id, new URLSearchParams(query));
  if (area === 'settings') return { screen: 'settings' };
  return { screen: 'book' };
}

/** The page of the guide that helps with a screen. */
export const GUIDE_PAGES: Readonly<Record<Place['screen'], string>> = {
  book: 'first-hour',
  import: 'files',
  reconciliation: 'matching',
  close: 'month-end',
  accounts: 'files',
  account: 'month-end',
  stream: 'files',
  records: 'matching',
  history: 'safety',
  exceptions: 'month-end',
  sync: 'sync',
  database: 'large',
  settings: 'safety',
};

/** Returns the address of the guide's page for a place of the window. */
export function guideAddress(place: Place): string {
  const isRule = place.screen === 'reconciliation' && place.tab === 'rules';
  const isEvidence = place.screen === 'reconciliation' && place.tab === 'evidence';
  const page = isRule ? 'rules' : isEvidence ? 'likelihood' : GUIDE_PAGES[place.screen];
  return `guide/${page}.html`;
}
