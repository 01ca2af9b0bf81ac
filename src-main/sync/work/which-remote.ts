import { listed } from '../../../src-shared/values/english.ts';
import { dayFromIso } from '../../../src-shared/values/civil-date.ts';
import { isLoopback } from '../../../src-shared/values/network.ts';
import { phrase } from '../../../src-shared/words/say.ts';
import { bookInstance } from '../../book/store/settings.ts';
import { isSameAccount } from '../../domain/statement/index.ts';
import { linksOf } from '../store/links.ts';
import { answersOf } from '../store/runs.ts';
import { linesOfDays, putBackAt } from '../store/reads.ts';
import { findRemote, remoteById, remoteByIdentity, remoteOfBook, remotesOf, type SyncRemoteRow } from '../store/remotes.ts';
import { type SyncAnswers, SyncQuestion, type SyncAsked } from './answers.ts';
import { nameOf as nameOfItem } from './conflict-book.ts';
import type { PutBack, SyncContext } from './context.ts';
import type { Dialect } from './dialect.ts';
import type { SyncAddress, SyncPorts } from './ports.ts';
import { contentOfRow, moneyOf } from './record-content.ts';
import type { Remote, RemoteIdentity } from './remote.ts';
import type { Item, RecordContent } from './resources.ts';
import type { Counted } from './sync-result.ts';

/** A remote that answered. */
export interface Answering {
  readonly remote: Remote;
  readonly dialect: Dialect;
  readonly baseUrl: string;
  readonly identity: RemoteIdentity | null;
}

type Ports = Pick<SyncPorts, 'database' | 'environmentId'>;

/** Returns a person's answer about exactly this situation, from the command line or to an earlier sync's question; null if there is none. */
export function answerTo(
  row: SyncRemoteRow | undefined,
  answers: SyncAnswers | undefined,
  { asked, about }: { readonly asked: SyncAsked; readonly about: string },
): string | null {
  const said = answers?.[asked];
  if (said !== undefined) return said;
  return row === undefined ? null : (answersOf(row)[about] ?? null);
}

const hasIdentity = (row: SyncRemoteRow): boolean => row.instance_id !== null;

function isSame(row: SyncRemoteRow, identity: RemoteIdentity): boolean {
  return row.instance_id === identity.instanceId && row.remote_environment === identity.environment;
}

/** Returns a normalised address: all names that a machine has for itself are equal. */
function placeOf(baseUrl: string): string {
  const { hostname, port, pathname, protocol } = new URL(baseUrl);
  const host = hostname === 'localhost' || isLoopback(hostname.replace(/^\[|\]$/g, '')) ? 'localhost' : hostname;
  return `${host} ${port === '' ? (protocol === 'https:' ? '443' : '80') : port} ${pathname}`;
}

/** Returns the remotes of the same kind without an identity that the book knows at other addresses. */
function namelessElsewhere({ database, environmentId }: Ports, { baseUrl, dialect }: Answering): SyncRemoteRow[] {
  return remotesOf(database, environmentId).filter(
    (row) => row.base_url !== baseUrl && !hasIdentity(row) && row.kind === dialect.kind && row.last_synced_at !== null,
  );
}

/** Whether most reconciliations that are linked with a remote are there under their ids. */
async function isThatOne({ database }: Ports, { remote }: Answering, { id }: SyncRemoteRow): Promise<boolean> {
  const linked = linksOf(database, id, 'reconciliations');
  if (linked.length === 0) return false;
  const there = new Set((await remote.side.list('reconciliations')).map(({ key }) => key));
  return linked.filter(({ remote_key: key }) => there.has(key)).length * 2 > linked.length;
}

/** Finds the remote that is meant: the one that a person chose, else by stated identity, else by address. */
async function meant(ports: Ports, answering: Answering, address: SyncAddress): Promise<{ row?: SyncRemoteRow; isElsewhere: boolean }> {
  const { database, environmentId } = ports;
  const { identity, baseUrl } = answering;
  if (address.remoteId !== undefined) {
    const row = remoteById(database, environmentId, address.remoteId);
    return row === undefined ? { isElsewhere: false } : { row, isElsewhere: false };
  }
  const known = identity === null ? undefined : remoteByIdentity(database, environmentId, identity);
  if (known !== undefined) return { row: known, isElsewhere: false };
  const row = findRemote(database, environmentId, baseUrl);
  if (row !== undefined) return { row, isElsewhere: false };
  if (identity === null) return metElsewhere(ports, answering);
  const copied = remoteOfBook(database, environmentId, identity);
  return copied === undefined ? { isElsewhere: false } : { row: copied, isElsewhere: true };
}

/**
 * Finds a remote without an identity that the book knows at another address: by another name of the same machine, or by its linked reconciliations.
 */
async function metElsewhere(ports: Ports, answering: Answering): Promise<{ row?: SyncRemoteRow; isElsewhere: boolean }> {
  const elsewhere = namelessElsewhere(ports, answering);
  const samePlace = elsewhere.find(({ base_url: url }) => placeOf(url) === placeOf(answering.baseUrl));
  if (samePlace !== undefined) return { row: samePlace, isElsewhere: false };
  for (const one of elsewhere) if (await isThatOne(ports, answering, one)) return { row: one, isElsewhere: true };
  return { isElsewhere: false };
}

/** Returns the remote of the book that answers, at whatever address the book knows it; null if it is new. */
export async function recognised(ports: Ports, answering: Answering): Promise<SyncRemoteRow | null> {
  const { database, environmentId } = ports;
  const { identity, baseUrl, dialect } = answering;
  const there = remotesOf(database, environmentId).find((row) => row.base_url === baseUrl && !hasIdentity(row));
  if (identity !== null) {
    const isUnnamed = there?.kind === dialect.kind && there.last_synced_at === null;
    return (
      remoteByIdentity(database, environmentId, identity) ?? remoteOfBook(database, environmentId, identity) ?? (isUnnamed ? there : null)
    );
  }
  return there ?? (await metElsewhere(ports, answering)).row ?? null;
}

function anotherWords(row: SyncRemoteRow, { identity, baseUrl }: Answering, isElsewhere: boolean): string {
  if (isElsewhere && identity !== null)
    return phrase('sync.whichRemote.answersWithAnotherCopy', { baseUrl, name: row.name, base_url: row.base_url });
  if (isElsewhere) return phrase('sync.whichRemote.hasWhatYouAgreed', { baseUrl, name: row.name, base_url: row.base_url });
  if (identity === null) return phrase('sync.whichRemote.doesNotSayWhichBook', { baseUrl, name: row.name });
  if (row.instance_id === identity.instanceId)
    return phrase('sync.whichRemote.theKeyBelongsToThe', {
      environment: identity.environment,
      name: row.name,
      remote_environment: row.remote_environment ?? '',
    });
  if (!hasIdentity(row)) return phrase('sync.whichRemote.tieoutAnswers', { baseUrl, name: row.name });
  return phrase('sync.whichRemote.answersWithAnotherBook', { baseUrl, name: row.name });
}

/**
 * Returns the remote of the book that answers; undefined if it is new. Stops with a question if it is another one than expected: with the links of
 * the expected one, everything missing would count as deleted.
 */
export async function whichRemote(ports: Ports, answering: Answering, address: SyncAddress): Promise<SyncRemoteRow | undefined> {
  const { identity, baseUrl } = answering;
  const { row, isElsewhere } = await meant(ports, answering, address);
  if (row === undefined) return undefined;
  const isMet = hasIdentity(row) || row.last_synced_at !== null;
  const fits = identity === null ? !hasIdentity(row) && !isElsewhere : hasIdentity(row) ? isSame(row, identity) : row.kind === 'tieout';
  if (!isMet || fits) return row;
  const about = `remote_is ${baseUrl} ${identity?.instanceId ?? ''} ${identity?.environment ?? ''}`;
  const answer = answerTo(row, address.answers, { asked: 'remote_is', about });
  const other = identity === null ? undefined : remoteByIdentity(ports.database, ports.environmentId, identity);
  if (other !== undefined) {
    throw new SyncQuestion(
      'remote_is_another',
      phrase('sync.whichRemote.answersAsAndNotAsCheck', { baseUrl, name: other.name, name2: row.name }),
      { remoteId: row.id, about, choices: [] },
    );
  }
  if (answer === 'known') return row;
  if (answer === 'new' && address.remoteId === undefined) return undefined;
  throw new SyncQuestion(
    'remote_is_another',
    phrase('sync.whichRemote.isThisTheOneYou', {
      another: anotherWords(row, answering, isElsewhere),
      name: row.name,
      isElsewhere: isElsewhere ? 'yes' : 'no',
    }),
    { remoteId: row.id, about, choices: address.remoteId === undefined ? ['known', 'new'] : ['known'] },
  );
}

/**
 * Stops with a question if this book is another copy than the one that synced last, because it does not know what was agreed since. Returns null if
 * it is the same.
 */
export function checkOwnBook(ports: Ports, row: SyncRemoteRow, answers: SyncAnswers | undefined): PutBack | null {
  const { instanceId } = bookInstance(ports.database);
  if (row.own_instance === null || row.own_instance === instanceId) return null;
  const about = `restored_book ${instanceId}`;
  if (answerTo(row, answers, { asked: 'restored_book', about }) === null) {
    throw new SyncQuestion('book_was_put_back', phrase('sync.whichRemote.thisBookWasRestored', { name: row.name }), {
      remoteId: row.id,
      about,
      choices: ['go_on'],
    });
  }
  const takes = answerTo(row, answers, { asked: 'restored_book', about: onlyHereOf(instanceId) }) === 'take';
  return { takes, since: putBackAt(ports.database), onlyHere: new Map() };
}

const onlyHereOf = (instanceId: string): string => `only_here ${instanceId}`;

const ONLY_HERE: Readonly<Record<Counted, readonly [one: string, several: string]>> = {
  streams: ['stream', 'streams'],
  reconciliations: ['reconciliation', 'reconciliations'],
  records: ['line', 'lines'],
  imports: [phrase('sync.whichRemote.importedFile'), phrase('sync.whichRemote.importedFiles')],
  rules: ['rule', 'rules'],
  matches: ['match', 'matches'],
  unmatched: [phrase('sync.whichRemote.matchTakenApart'), phrase('sync.whichRemote.matchesTakenApart')],
  overdue: [phrase('sync.whichRemote.overdueMark'), phrase('sync.whichRemote.overdueMarks')],
  stories: ['story', 'stories'],
  accounts: ['account', 'accounts'],
  balances: ['balance', 'balances'],
  changes: ['change', 'changes'],
};

/**
 * Stops with a question if a restored book has objects that the remote lacks. They were never sent, or they were deleted at the remote since; neither
 * side can tell, so a person decides whether to send or delete them.
 */
export function checkOnlyHere(ports: Ports, row: SyncRemoteRow, putBack: PutBack | null, order: Pick<SyncAddress, 'answers'>): void {
  if (putBack === null || putBack.onlyHere.size === 0) return;
  const about = onlyHereOf(bookInstance(ports.database).instanceId);
  const said = answerTo(row, order.answers, { asked: 'restored_book', about });
  if (said === 'send_again' || said === 'take') return;
  const parts = [...putBack.onlyHere].map(([counted, count]) => `${count} ${ONLY_HERE[counted][count === 1 ? 0 : 1]}`);
  throw new SyncQuestion('book_was_put_back', phrase('sync.whichRemote.thisRestoredBook', { name: row.name, parts: listed(parts) }), {
    remoteId: row.id,
    about,
    choices: ['send_again', 'take'],
  });
}

/** Returns the numbers of accounts that the files of each stream name, by the stream's key. */
function accountsByStream(files: readonly Item[]): Map<string, Set<string>> {
  const found = new Map<string, Set<string>>();
  for (const { extra } of files) {
    const key = String(extra['stream']);
    const accounts = Array.isArray(extra['accounts']) ? extra['accounts'].map(String) : [];
    if (accounts.length > 0) found.set(key, new Set([...(found.get(key) ?? []), ...accounts]));
  }
  return found;
}

/** A message names at most this many accounts of a stream. */
const NAMED_ACCOUNTS = 3;

/** So many of the other side's lines say whether both sides hold one account; each page of them is a request. */
const SAMPLED_LINES = 2_000;
/** Fewer lines than this on days that both sides have may differ by chance. */
const FEWEST_LINES = 3;
/** The share of its lines that one account has on both sides at least, on days that both sides have: a day is rarely exported in parts. */
const LEAST_SHARED = 0.1;

interface SharedDays {
  /** How many of the other side's lines are of a day of which this side has lines too. */
  readonly lines: number;
  /** How many of them are here, with the same day and amount. */
  readonly shared: number;
}

/** Compares lines of both sides of a stream on the days of which both have some, from a sample of the other side's. */
async function sharedDays({ database, remote }: SyncContext, { key, id }: Item): Promise<SharedDays> {
  const theirs: RecordContent[] = [];
  for await (const page of remote.records(key)) {
    theirs.push(...page.map(({ content }) => content));
    if (theirs.length >= SAMPLED_LINES) break;
  }
  const asked = new Set(theirs.map(({ date }) => dayFromIso(date)).filter((day) => day !== null));
  const here = linesOfDays(database, id, [...asked]);
  const days = new Set<string>();
  const left = new Map<string, number>();
  for (const row of here) {
    const content = contentOfRow(row);
    const line = `${content.date} ${moneyOf(content)}`;
    days.add(content.date);
    left.set(line, (left.get(line) ?? 0) + 1);
  }
  const counts = { lines: 0, shared: 0 };
  for (const content of theirs) {
    if (!days.has(content.date)) continue;
    const line = `${content.date} ${moneyOf(content)}`;
    const count = left.get(line) ?? 0;
    counts.lines += 1;
    if (count > 0) counts.shared += 1;
    left.set(line, count - 1);
  }
  return counts;
}

/** Returns the question whether a stream is one account, or null where both sides hold the same one as far as they tell. */
async function differenceOf(
  context: SyncContext,
  stream: Item,
  { ours, theirs }: { readonly ours: ReadonlySet<string> | undefined; readonly theirs: ReadonlySet<string> | undefined },
): Promise<{ readonly about: string; readonly words: string } | null> {
  const name = nameOfItem('streams', stream);
  if (ours !== undefined && theirs !== undefined) {
    if ([...ours].some((one) => [...theirs].some((other) => isSameAccount(one, other)))) return null;
    const named = (accounts: ReadonlySet<string>): string => listed([...accounts].slice(0, NAMED_ACCOUNTS));
    return {
      about: `differing_accounts ${stream.key} ${[...ours, ...theirs].toSorted().join(' ')}`,
      words: phrase('sync.whichRemote.accountsDiffer', { name, here: named(ours), there: named(theirs) }),
    };
  }
  const { lines, shared } = await sharedDays(context, stream);
  if (lines < FEWEST_LINES || shared >= lines * LEAST_SHARED) return null;
  return {
    about: `differing_accounts ${stream.key}`,
    words: phrase('sync.whichRemote.linesDiffer', { name, count: lines, shared: shared === 0 ? 'none' : String(shared) }),
  };
}

/**
 * Stops with a question if a stream that both sides have under one key, and have never agreed on, was filled from files of different accounts, by the
 * numbers that the files name, or else by lines of the same days that are not the same. Every book may call its bank account `bank`, and lines of two
 * bank accounts in one stream are hard to take apart.
 */
export async function checkAccounts(context: SyncContext, row: SyncRemoteRow | null, order: Pick<SyncAddress, 'answers'>): Promise<void> {
  const { local, remote, links } = context;
  const { gaps } = remote.dialect;
  if (gaps['streams.list'] !== undefined) return;
  const unmet = (await local.list('streams')).filter(({ id }) => links('streams').ofLocal(id) === undefined);
  if (unmet.length === 0) return;
  const filesHere = await local.list('imports');
  const filled = new Set(filesHere.map(({ extra }) => String(extra['stream'])));
  const there = new Set((await remote.side.list('streams')).map(({ key }) => key));
  const both = unmet.filter(({ key }) => filled.has(key) && there.has(key));
  if (both.length === 0) return;
  const here = accountsByStream(filesHere);
  const accountsThere = accountsByStream(gaps['imports.list'] === undefined ? await remote.side.list('imports') : []);
  for (const stream of both) {
    const found = await differenceOf(context, stream, { ours: here.get(stream.key), theirs: accountsThere.get(stream.key) });
    if (found === null) continue;
    if (answerTo(row ?? undefined, order.answers, { asked: 'differing_accounts', about: found.about }) !== null) continue;
    throw new SyncQuestion('accounts_differ', found.words, { remoteId: row?.id ?? null, about: found.about, choices: ['go_on'] });
  }
}
