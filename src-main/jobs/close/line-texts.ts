import type { LedgerRecord } from '../../domain/ledger/index.ts';
import type { CloseLine } from '../../store/periods/close-reads.ts';
import type { StreamRow } from '../../store/streams/streams.ts';
import { referenceText } from '../columns/engine-input.ts';

/** Where files say what kind of line it is. */
const KINDS = ['type', 'transaction_type', 'kind', 'transaction_code', 'code', 'category'] as const;

type Texts = Pick<LedgerRecord, 'reference' | 'description' | 'kindText'>;

/** What a line says in words, the reference by the field that its stream names. Metadata are parsed once, and not where there are none. */
export function lineTexts(streams: readonly StreamRow[]): (line: CloseLine) => Texts {
  const fields = new Map(streams.map(({ id, reference_field: field }) => [id, field]));
  return ([, streamId, , , , , , description, externalId, text]) => {
    const metadata = text === '{}' ? {} : (JSON.parse(text) as Record<string, unknown>);
    const kind = KINDS.map((key) => metadata[key]).find((value) => typeof value === 'string' && value.trim() !== '');
    const reference = referenceText(fields.get(streamId) ?? null, { description, external_id: externalId }, metadata);
    return { reference, description, kindText: typeof kind === 'string' ? kind.trim() : null };
  };
}
