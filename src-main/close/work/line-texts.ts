import type { LedgerRecord } from '../../domain/ledger/index.ts';
import { referenceText } from '../../records/work/engine-input.ts';
import { textMember } from '../../records/work/metadata-member.ts';
import type { StreamRow } from '../../streams/store/streams.ts';
import type { CloseLine } from '../store/close-reads.ts';

/** Keys under which files say what kind of line it is. */
const KINDS = ['type', 'transaction_type', 'kind', 'transaction_code', 'code', 'category'] as const;
const FINDERS = KINDS.map((key) => ({ key, quoted: `"${key}":`, find: textMember(key) }));
const METADATA = 'metadata.';

type Texts = Pick<LedgerRecord, 'reference' | 'description' | 'kindText'>;
type Metadata = Readonly<Record<string, unknown>>;

/** The first kind that is said; parsing is for unusual metadata alone. */
function kindOf(text: string, parsed: () => Metadata): string | null {
  for (const { key, quoted, find } of FINDERS) {
    if (!text.includes(quoted)) continue;
    const found = find(text);
    const value = found === undefined ? parsed()[key] : found;
    if (typeof value === 'string' && value.trim() !== '') return value.trim();
  }
  return null;
}

/** What a line says in words, the reference by the field that its stream names. */
export function lineTexts(streams: readonly StreamRow[]): (line: CloseLine) => Texts {
  const fields = new Map(
    streams.map(({ id, reference_field: field }) => {
      const find = field?.startsWith(METADATA) === true ? textMember(field.slice(METADATA.length)) : null;
      return [id, { field, find }] as const;
    }),
  );
  return ([, streamId, , , , , , description, externalId, text]) => {
    let metadata: Metadata | null = null;
    const parsed = (): Metadata => (metadata ??= text === '{}' ? {} : (JSON.parse(text) as Metadata));
    const { field, find } = fields.get(streamId) ?? { field: null, find: null };
    const found = find?.(text);
    const reference =
      typeof found === 'string'
        ? found.trim() || null
        : referenceText(field, { description, external_id: externalId }, find === null ? {} : parsed());
    return { reference, description, kindText: text === '{}' ? null : kindOf(text, parsed) };
  };
}
