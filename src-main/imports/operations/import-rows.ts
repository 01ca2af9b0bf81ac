import type { ImportResult, ImportRow } from '../../../src-shared/contract/index.ts';
import { isoFromDay } from '../../../src-shared/values/civil-date.ts';
import { namedCurrency } from '../../../src-shared/values/money.ts';
import { findJob, type JobRow } from '../../book/store/jobs.ts';
import { storedJson } from '../../database/json-columns.ts';
import type { ReadHandle } from '../../database/database.ts';
import { answer, missing } from '../../service/answers.ts';
import type { ServiceContext } from '../../service/context.ts';
import type { Handlers } from '../../service/handler.ts';
import { streamByKey } from '../../streams/store/streams.ts';
import { countImportRows } from '../store/import-rows.ts';
import { type KeptRow, keptRows, whySkipped } from '../work/import-rows.ts';

/** Returns the result of an import or a preview; null for any other job and for one that has not ended. */
function resultOf(job: JobRow): ImportResult | null {
  if (job.status !== 'completed' || job.result === null) return null;
  const stored = storedJson('jobs.result', job.result, job.id);
  return stored.import_result ?? stored.preview?.result ?? null;
}

/** Returns why a row was not imported. This is looked up now, since the record that it repeats may have been edited or deleted. */
function reasonOf(read: ReadHandle, streamId: number | null, kept: KeptRow): Pick<ImportRow, 'outcome' | 'code' | 'message' | 'record_id'> {
  if (kept.message !== null) return { outcome: 'rejected', code: kept.code ?? 'rejected', message: kept.message, record_id: null };
  const { key, day, amountMinor, direction } = kept;
  if (key === null) return { outcome: 'skipped', code: 'left_out', message: 'Left out by hand.', record_id: null };
  if (streamId === null || day === null || amountMinor === null || direction === null) {
    return { outcome: 'skipped', code: 'already_there', message: 'In the stream when the file was read.', record_id: null };
  }
  return { outcome: 'skipped', ...whySkipped(read, streamId, { ...kept, day, amountMinor, direction }, key) };
}

function isoOrNull(day: number | null): string | null {
  return day === null ? null : isoFromDay(day);
}

function rowView(read: ReadHandle, streamId: number | null, kept: KeptRow): ImportRow {
  return {
    row: kept.row,
    occurrence: kept.occurrence,
    ...reasonOf(read, streamId, kept),
    date: isoOrNull(kept.day),
    value_date: isoOrNull(kept.valueDay ?? null),
    amount: kept.amountMinor,
    direction: kept.direction,
    currency: namedCurrency(kept.currency),
    decimal_places: kept.decimalPlaces,
    description: kept.description,
    external_id: kept.externalId,
  };
}

/** Lists the rows of a file that were not imported, page by page. */
export function importRowHandlers({ database }: ServiceContext): Pick<Handlers, 'imports.rows'> {
  return {
    'imports.rows': (caller, { id, outcome, limit, offset }) =>
      database.snapshot(() => {
        const job = findJob(database, caller.environmentId, id);
        if (job === undefined || !job.kind.startsWith('import')) return missing('import', id);
        const result = resultOf(job);
        if (result === null) return answer({ data: [], has_more: false, offset, total: 0, listed: 0 });
        const { streamKey } = storedJson('jobs.payload:import', job.payload, job.id);
        const stream = streamKey === null ? undefined : streamByKey(database, caller.environmentId, streamKey);
        const listed = countImportRows(database, id, outcome);
        const rows = keptRows(database, id, outcome, offset, limit);
        return answer({
          data: rows.map((row) => rowView(database, stream?.id ?? null, row)),
          has_more: offset + rows.length < listed,
          offset,
          total: result[outcome],
          listed,
        });
      }),
  };
}
