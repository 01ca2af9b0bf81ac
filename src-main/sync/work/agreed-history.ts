import { hash } from 'node:crypto';
import { phrase } from '../../../src-shared/words/say.ts';
import { idsOfStream } from '../store/reads.ts';
import type { SyncRemoteRow } from '../store/remotes.ts';
import { type SyncAnswers, SyncQuestion } from './answers.ts';
import { matchesHere, matchesThere } from './both-sides.ts';
import type { SyncContext } from './context.ts';
import { deletedLinks, linkDeleted, noteGoneHere } from './deleted.ts';
import { canonical, recordHash } from './hashes.ts';
import { hashOfItem, type Link } from './links.ts';
import { canonicalRecord, ownExternalId, recordsByIds } from './record-content.ts';
import type { RemoteIdentity } from './remote.ts';
import { type Fields, type Item, LOW_VOLUME, type LowVolume, type RecordContent, type RecordItem, REFERENCES } from './resources.ts';
import { answerTo } from './which-remote.ts';

/** If more linked records than this, and more than `SHARE_GONE` of them, are gone from a remote without an identity, a person is asked. */
const FEW_GONE = 20;
const SHARE_GONE = 0.02;
/** If all linked objects are gone, this many are enough to ask. */
const ALL_GONE = 3;

export type Said = 'send_again' | 'take' | null;

/** Returns the keys of the streams at the remote. */
async function streamsThere({ remote, links }: SyncContext): Promise<ReadonlySet<string>> {
  const named = await remote.side.list('streams');
  const unnamed = await remote.unnamedStreams(named, links('streams').all());
  return new Set([...named.map(({ key }) => key), ...unnamed]);
}

/** Returns the ids of the linked records of each linked stream, by stream key. */
async function linkedByStream({ local, database, links }: SyncContext): Promise<Map<string, number[]>> {
  const streams = await local.list('streams');
  const linked = links('records');
  return new Map(
    streams.flatMap(({ id, key }) => {
      if (links('streams').ofLocal(id) === undefined) return [];
      return [[key, idsOfStream(database, id).filter((one) => linked.ofLocal(one) !== undefined)]];
    }),
  );
}

/** Returns the records of a stream that the remote lists, by remote id. */
async function recordsThere(context: SyncContext, stream: string, isThere: boolean): Promise<Map<string, RecordItem>> {
  const found = new Map<string, RecordItem>();
  if (!isThere) return found;
  for await (const page of context.remote.records(stream)) {
    context.signal.throwIfAborted();
    for (const item of page) found.set(item.key, item);
  }
  return found;
}

interface Counted {
  linked: number;
  gone: number;
}

const isAllGone = ({ linked, gone }: Counted, least = 1): boolean => gone >= least && gone === linked;

/**
 * Counts linked objects that are gone from the remote. Counts records only if the remote lists all of them: a partial list says nothing about the
 * others.
 */
async function countGone(context: SyncContext): Promise<{ few: Counted[]; records: Counted }> {
  const { remote, links } = context;
  const streams = await streamsThere(context);
  const few: Counted[] = [];
  for (const resource of ['streams', 'reconciliations', 'accounts'] as const) {
    if (remote.dialect.gaps[`${resource}.list`] !== undefined) continue;
    const there = resource === 'streams' ? streams : new Set((await remote.side.list(resource)).map(({ key }) => key));
    const linked = [...links(resource).all()];
    few.push({ linked: linked.length, gone: linked.filter(({ remote_key: key }) => !there.has(key)).length });
  }
  const records: Counted = { linked: 0, gone: 0 };
  if (remote.dialect.listsByBatches) return { few, records };
  const ofRecord = links('records');
  for (const [stream, ids] of await linkedByStream(context)) {
    const there = ids.length === 0 ? new Map<string, RecordItem>() : await recordsThere(context, stream, streams.has(stream));
    records.linked += ids.length;
    records.gone += ids.filter((id) => !there.has(ofRecord.ofLocal(id)?.remote_key ?? '')).length;
  }
  return { few, records };
}

const counted = ({ linked, gone }: Counted, what: string): string => `${gone} of ${linked} ${what}`;

/** Returns what a remote has lost, in words. Returns null if nothing is gone, or so little that a person may have deleted it. */
async function lostWords(context: SyncContext): Promise<string | null> {
  const { few, records } = await countGone(context);
  const [streams] = few;
  const isBeyond = records.gone > FEW_GONE && records.gone > records.linked * SHARE_GONE;
  const isLost = few.every((each) => each.linked === 0 || isAllGone(each)) && few.some((each) => isAllGone(each));
  if (!isBeyond && !isAllGone(records, ALL_GONE) && !isLost && !(streams !== undefined && isAllGone(streams, ALL_GONE))) return null;
  const parts = [
    ...(streams !== undefined && streams.gone > 0 ? [counted(streams, 'streams')] : []),
    ...(records.gone > 0 ? [counted(records, 'lines')] : []),
  ];
  return parts.length === 0
    ? phrase('sync.agreedHistory.whatBothSidesHave')
    : phrase('sync.agreedHistory.thatBothSidesHave', { parts: parts.join(' and ') });
}

/**
 * Checks that a remote still has what both sides agreed on, before anything is written. A remote with a history must continue from the agreed entry;
 * one without is asked for everything linked. Stops with a question if something was lost and unanswered; otherwise returns the person's answer, or
 * null if nothing was lost.
 */
export async function checkHistory(
  context: SyncContext,
  row: SyncRemoteRow,
  { identity, answers }: { readonly identity: RemoteIdentity | null; readonly answers: SyncAnswers | undefined },
): Promise<Said> {
  const { agreed_entries: entries, agreed_head: head, name } = row;
  const isMarked = identity !== null && entries !== null;
  if (!isMarked && context.links('streams').size + context.links('reconciliations').size === 0) return null;
  // All environments of a book share one audit log. Another environment therefore continues from the agreed entry too, but has none of the agreed
  // objects.
  const isOtherEnvironment = identity !== null && row.remote_environment !== null && row.remote_environment !== identity.environment;
  if (isMarked && identity.asked === head && !isOtherEnvironment) return null;
  const about = `lost_history ${row.id} ${isMarked ? `${head} ${identity.instanceId} ${identity.environment}` : (row.last_synced_at ?? 0)}`;
  const lost = isOtherEnvironment
    ? phrase('sync.agreedHistory.theEnvironmentHasItsOwn', { environment: identity.environment })
    : isMarked
      ? historyWords(identity, entries)
      : await lostWords(context);
  if (lost === null) return null;
  const said = answerTo(row, answers, { asked: 'lost_history', about });
  if (said === 'send_again' || said === 'take') return said;
  throw new SyncQuestion('remote_lost_history', phrase('sync.agreedHistory.hasLostWhatYouAgreed', { name, lost }), {
    remoteId: row.id,
    about,
    choices: ['send_again', 'take'],
  });
}

function historyWords({ entries }: RemoteIdentity, agreed: number): string {
  if (entries < agreed) return phrase('sync.agreedHistory.itsHistoryHasEntries', { entries, agreed });
  return phrase('sync.agreedHistory.itsHistoryGoes');
}

/** Whether two records are the same. Decides for records of a restored remote, which may have given their ids to other records. */
function isSameRecord(ours: RecordItem['content'] | undefined, theirs: RecordItem['content']): boolean {
  if (ours === undefined) return false;
  const [own, other] = [ownExternalId(ours.external_id), ownExternalId(theirs.external_id)];
  if (own !== null || other !== null) return own === other;
  return ours.date === theirs.date && (ours.amount === theirs.amount || ours.description === theirs.description);
}

/**
 * Prepares to send everything again after the remote lost it and a person chose that: drops the links of objects that are no longer at the remote as
 * agreed, so that they are new there. A line that the remote has in an older form gets the local content. Objects deleted here that the restore
 * brought back there will be deleted there.
 */
export async function sendAgain(context: SyncContext): Promise<void> {
  const { local, remote, links, preview } = context;
  for (const resource of LOW_VOLUME) {
    if (remote.dialect.gaps[`${resource}.list`] !== undefined) {
      for (const { local_id: id } of links(resource).all()) links(resource).drop(id);
      continue;
    }
    const here = new Set((await local.list(resource)).map(({ id }) => id));
    const isHere = (id: number): boolean => here.has(id);
    noteGoneHere(links, resource, isHere);
    const there = new Map((await remote.side.list(resource)).map((item) => [item.key, item]));
    const hashThere = ({ remote_key: key }: Link): string | null => {
      const item = there.get(key);
      return hashOfItem(item === undefined ? null : translated(resource, item, toHere(context)));
    };
    for (const link of links(resource).all()) if (hashThere(link) !== link.remote_hash) links(resource).drop(link.local_id);
    linkDeleted(links, resource, { hashThere, isHere });
  }
  await reviewRecords(context);
  await reviewMatches(context);
  for (const { id } of await local.list('reconciliations')) {
    const marks = links(`overdue ${id}`);
    for (const { local_id: one } of marks.all()) marks.drop(one);
    if (!preview) marks.save();
  }
  if (preview) return;
  for (const resource of [...LOW_VOLUME, 'matches', 'records']) {
    links(resource).save();
    deletedLinks(links, resource).save();
  }
}

async function reviewMatches(context: SyncContext): Promise<void> {
  const { local, remote, links } = context;
  const here = new Set<number>();
  for (const { id } of await local.list('reconciliations')) for (const match of await matchesHere(context, id)) here.add(match.id);
  const isHere = (id: number): boolean => here.has(id);
  noteGoneHere(links, 'matches', isHere);
  for (const { local_id: id } of links('matches').all()) links('matches').drop(id);
  if (deletedLinks(links, 'matches').size === 0) return;
  const hashes = new Map<string, string>();
  for (const { key } of await remote.side.list('reconciliations'))
    for (const match of await matchesThere(context, key, [])) if (!match.isStranded) hashes.set(match.key, match.hash);
  linkDeleted(links, 'matches', { hashThere: ({ remote_key: key }) => hashes.get(key) ?? null, isHere });
}

async function reviewRecords(context: SyncContext): Promise<void> {
  const { remote, local, database } = context;
  const links = context.links('records');
  const streams = await streamsThere(context);
  const localStreams = await local.list('streams');
  const here = new Set(localStreams.flatMap(({ id }) => idsOfStream(database, id)));
  const isHere = (id: number): boolean => here.has(id);
  noteGoneHere(context.links, 'records', isHere);
  const hasDeleted = deletedLinks(context.links, 'records').size > 0;
  const kept = new Set<number>();
  const hashes = new Map<string, string>();
  for (const stream of new Set([...localStreams.map(({ key }) => key), ...streams])) {
    const own = localStreams.find(({ key }) => key === stream);
    const ids = own === undefined ? [] : idsOfStream(database, own.id).filter((id) => links.ofLocal(id) !== undefined);
    if (ids.length === 0 && !hasDeleted) continue;
    const there = await recordsThere(context, stream, streams.has(stream));
    const hashOf = ({ content }: RecordItem): string => recordHash(canonicalRecord(content), remote.dialect.recordFields);
    if (hasDeleted) for (const item of there.values()) hashes.set(item.key, hashOf(item));
    const ours = new Map(recordsByIds(database, ids).map(({ id, content }) => [id, content]));
    for (const id of ids) {
      const link = links.ofLocal(id);
      const theirs = link === undefined ? undefined : there.get(link.remote_key);
      if (link === undefined || theirs === undefined) continue;
      const hash = hashOf(theirs);
      if (hash !== link.remote_hash && !isSameRecord(ours.get(id), theirs.content)) continue;
      kept.add(id);
      if (hash !== link.remote_hash) links.put({ ...link, local_hash: '', remote_hash: hash, agreed: null });
    }
  }
  for (const { local_id: id } of links.all()) if (!kept.has(id)) links.drop(id);
  linkDeleted(context.links, 'records', { hashThere: ({ remote_key: key }) => hashes.get(key) ?? null, isHere });
}

/** Translates an id of a resource from one side to the other; null if the other side does not have the object. */
type Translate = (resource: LowVolume, key: string) => string | null;

/** Returns the translation from remote to local ids. A preview returns placeholders for objects that it would create. */
export function toHere(context: SyncContext): Translate {
  return (resource, key) => {
    const link = context.links(resource).ofRemote(key);
    if (link !== undefined) return String(link.local_id);
    return context.preview ? `there:${key}` : null;
  };
}

/** Returns the translation from local to remote ids. A preview returns placeholders for objects that it would create. */
export function toThere(context: SyncContext): Translate {
  return (resource, key) => {
    const link = context.links(resource).ofLocal(Number(key));
    if (link !== undefined) return link.remote_key;
    return context.preview && !context.unsure.has(`${resource} ${key}`) ? `here:${key}` : null;
  };
}

function translatedFields(resource: LowVolume, fields: Fields, translate: Translate): Fields | null {
  const known = REFERENCES[resource] ?? {};
  const changed: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(fields)) {
    const target = known[name];
    if (target !== undefined && typeof value === 'string') {
      changed[name] = translate(target, value);
      if (changed[name] === null) return null;
    } else if (resource === 'stories' && name === 'links') {
      const links = (value as readonly { reconciliation: string; shared: string | null }[]).map((link) => ({
        ...link,
        reconciliation: translate('reconciliations', link.reconciliation),
      }));
      if (links.some(({ reconciliation }) => reconciliation === null)) return null;
      changed[name] = links;
    } else changed[name] = value;
  }
  return changed;
}

/** Returns an object with its references in the ids of the other side; null if the other side lacks one of them. */
export function translated(resource: LowVolume, item: Item, translate: Translate): Item | null {
  const fields = translatedFields(resource, item.fields, translate);
  const extra = translatedFields(resource, item.extra, translate);
  return fields === null || extra === null ? null : { ...item, fields, extra };
}

/** Whether the object's parent is about to be deleted from its side, and the object with it. */
export function isLeaving(leaving: ReadonlySet<string>, resource: LowVolume, { fields, extra }: Item): boolean {
  const all = { ...extra, ...fields };
  const parents: [string, unknown][] =
    resource === 'rules'
      ? [['reconciliations', all['reconciliation']]]
      : resource === 'properties' || resource === 'imports'
        ? [['streams', all['stream']]]
        : resource === 'balances'
          ? [['accounts', all['account']]]
          : [];
  return parents.some(([parent, key]) => leaving.has(`${parent} ${String(key)}`));
}

/** Fields that are meaningful only together: editing one counts as editing all. */
const TOGETHER: Readonly<Partial<Record<LowVolume | 'records', readonly (readonly string[])[]>>> = {
  records: [['amount', 'direction', 'currency', 'decimal_places']],
  reconciliations: [['side_a', 'side_b', 'sign_convention']],
  imports: [['currency', 'opening_balance', 'closing_balance', 'periods', 'balances']],
  rules: [
    ['cardinality', 'group_by', 'rollup'],
    ['method', 'budget', 'max_difference', 'commit_certainty', 'outcome'],
  ],
};

const NAME_LENGTH = 4;
const VALUE_LENGTH = 6;
const LENGTH = NAME_LENGTH + VALUE_LENGTH;

const short = (text: string, length: number): string => hash('sha256', text, 'base64url').slice(0, length);

const names = new Map<string, string>();
const KNOWN_NAMES = 1_000;

function shortName(name: string): string {
  const known = names.get(name);
  if (known !== undefined) return known;
  const made = short(name, NAME_LENGTH);
  if (names.size < KNOWN_NAMES) names.set(name, made);
  return made;
}

/** Groups the fields of an object into units that change together, each named by its first field. */
function unitsOf(resource: LowVolume | 'records', fields: Fields): Map<string, string[]> {
  const together = TOGETHER[resource] ?? [];
  const units = new Map<string, string[]>();
  for (const field of Object.keys(fields)) {
    const unit = together.find((group) => group.includes(field))?.[0] ?? field;
    const known = units.get(unit);
    if (known === undefined) units.set(unit, [field]);
    else known.push(field);
  }
  return units;
}

/** Returns a short hash of some fields; empty if all of them are empty. */
function valueOf(fields: Fields, members: readonly string[]): string {
  const said = canonical(Object.fromEntries(members.map((member) => [member, fields[member]])));
  return said === '{}' ? '' : short(said, VALUE_LENGTH);
}

/** Returns the agreed fields as text: for each unit that is not empty, ten characters of short hashes (name, then value). */
export function agreedOn(resource: LowVolume | 'records', fields: Fields): string {
  let text = '';
  for (const [unit, members] of unitsOf(resource, fields)) {
    const value = valueOf(fields, members);
    if (value !== '') text += shortName(unit) + value;
  }
  return text;
}

function readAgreed(text: string): Map<string, string> {
  const read = new Map<string, string>();
  for (let at = 0; at < text.length; at += LENGTH) read.set(text.slice(at, at + NAME_LENGTH), text.slice(at + NAME_LENGTH, at + LENGTH));
  return read;
}

/** The fields of both sides, and those last agreed (from `agreedOn`); `agreed` is null if they are unknown. */
interface Edited {
  readonly agreed: string | null;
  readonly ours: Fields;
  readonly theirs: Fields;
}

/** Merges the edits of both sides unit by unit. Returns null if both changed the same unit differently, or if the agreed fields are unknown. */
export function mergedFields(resource: LowVolume | 'records', { agreed, ours, theirs }: Edited): Fields | null {
  if (agreed === null) return null;
  const base = readAgreed(agreed);
  const merged: Record<string, unknown> = {};
  for (const [unit, members] of unitsOf(resource, { ...ours, ...theirs })) {
    const [here, there] = [valueOf(ours, members), valueOf(theirs, members)];
    const before = base.get(shortName(unit)) ?? '';
    const isTheirs = here === before;
    if (!isTheirs && here !== there && there !== before) return null;
    const from = isTheirs ? theirs : ours;
    for (const member of members) if (member in from) merged[member] = from[member];
  }
  return merged;
}

const MEMBER = 'metadata.';

/** Returns a record as flat fields, one for each member of its metadata. Drops an external id that a Tieout generated. */
function flat(content: RecordContent, fields: readonly (keyof RecordContent)[]): Fields {
  const { metadata } = content;
  const own = fields.filter((field) => field !== 'metadata').map((field) => [field, content[field]]);
  const members = fields.includes('metadata') ? Object.entries(metadata).map(([name, value]) => [MEMBER + name, value]) : [];
  return { ...Object.fromEntries([...own, ...members]), external_id: ownExternalId(content.external_id) };
}

/** Does for a record what `agreedOn` does, with the fields that both sides carry. */
export function agreedRecord(content: RecordContent, fields: readonly (keyof RecordContent)[]): string {
  return agreedOn('records', flat(content, fields));
}

interface EditedRecord {
  readonly agreed: string | null;
  readonly ours: RecordContent;
  readonly theirs: RecordContent;
}

/** Merges the edits of both sides of a record; null as in `mergedFields`. */
export function mergedRecord({ agreed, ours, theirs }: EditedRecord, fields: readonly (keyof RecordContent)[]): RecordContent | null {
  const merged = mergedFields('records', { agreed, ours: flat(ours, fields), theirs: flat(theirs, fields) });
  if (merged === null) return null;
  const members = Object.entries(merged).filter(([name]) => name.startsWith(MEMBER));
  const own = Object.entries(merged).filter(([name]) => !name.startsWith(MEMBER));
  const metadata = fields.includes('metadata')
    ? Object.fromEntries(members.map(([name, value]) => [name.slice(MEMBER.length), value]))
    : ours.metadata;
  return { ...ours, ...Object.fromEntries(own), metadata };
}
