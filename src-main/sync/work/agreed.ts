import { hash } from 'node:crypto';
import { ownExternalId } from './external-ids.ts';
import { canonical } from './hashes.ts';
import type { LowVolume, Fields, RecordContent } from './resources.ts';

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
