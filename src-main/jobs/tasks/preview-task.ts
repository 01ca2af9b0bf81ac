import type { ImportPreview, ImportResult } from '../../../src-shared/contract/index.ts';
import { ADJUSTMENTS_KEY } from '../../../src-shared/contract/streams.ts';
import { isoFromDay } from '../../../src-shared/values/civil-date.ts';
import { decimalPlacesOf } from '../../../src-shared/values/money.ts';
import type { StatementLine } from '../../domain/statement/types.ts';
import { updateJob } from '../../store/jobs.ts';
import type { ImportPayload } from '../protocol.ts';
import type { TaskContext, TaskEnd } from '../task.ts';
import { type Understood, understandFile } from './understand.ts';

const PREVIEW_ROWS = 200;

/** A stream's key from a file's name: `Bank statement June.csv` -> `bank-statement-june`; never that of Tieout's own stream. */
export function suggestedStream(filename: string): { stream_key: string; stream_name: string } {
  const stem = filename.replace(/\.[A-Za-z0-9]{1,5}$/, '').trim();
  const key = stem
    .normalize('NFKD')
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replaceAll(/^-+|-+$/g, '')
    .slice(0, 60);
  const words = stem.replaceAll(/[_-]+/g, ' ').trim();
  const own = key === ADJUSTMENTS_KEY ? `${key}-file` : key;
  return { stream_key: own === '' ? 'statement' : own, stream_name: words === '' ? 'Statement' : words[0]?.toUpperCase() + words.slice(1) };
}

/** The text of a line that stands in the reference field. */
export function referenceOf(line: StatementLine, field: string | null): string | null {
  if (field === null) return null;
  if (field === 'description') return line.description;
  if (field === 'external_id') return line.externalId;
  return line.metadata[field.slice('metadata.'.length)] ?? null;
}

function previewRows(understood: Understood): ImportPreview['rows'] {
  const { statement } = understood;
  const rows: ImportPreview['rows'] = statement.lines.slice(0, PREVIEW_ROWS).map((line, position) => ({
    row: line.row,
    outcome: understood.isDuplicate[position] === true ? 'duplicate' : 'new',
    date: isoFromDay(line.day),
    amount: line.amountMinor,
    direction: line.direction,
    currency: line.currency,
    decimal_places: line.decimalPlaces,
    description: line.description,
    external_id: line.externalId,
    reference: referenceOf(line, statement.referenceField),
    message: null,
  }));
  for (const problem of statement.problems.filter((found) => found.severity === 'rejected').slice(0, PREVIEW_ROWS)) {
    if (problem.row === null || rows.some((row) => row.row === problem.row)) continue;
    rows.push({
      row: problem.row,
      outcome: 'rejected',
      date: null,
      amount: null,
      direction: null,
      currency: null,
      decimal_places: 2,
      description: null,
      external_id: null,
      reference: null,
      message: problem.message,
    });
  }
  return rows.toSorted((left, right) => left.row - right.row);
}

function previewOf(understood: Understood, payload: ImportPayload): ImportPreview {
  const { statement } = understood;
  const { dialect } = statement;
  return {
    result: understood.result,
    file: { name: payload.filename, byte_length: understood.byteLength },
    dialect: {
      encoding: dialect.encoding,
      delimiter: dialect.delimiter,
      header_row: dialect.headerRow,
      date_order: dialect.dateOrder,
      decimal_mark: dialect.decimalMark,
      sign_model: dialect.signModel,
    },
    columns: statement.columns.map((column) => ({
      index: column.index,
      header: column.header,
      role: column.role,
      field: column.field,
      is_reference: column.field !== null && column.field === statement.referenceField,
      samples: [...column.samples],
    })),
    rows: previewRows(understood),
    accounts: statement.accounts.map((each) => ({
      account: each.account,
      currency: each.currency,
      decimal_places: decimalPlacesOf(each.currency),
      rows: each.rows,
      opening_balance: each.openingBalanceMinor,
      closing_balance: each.closingBalanceMinor,
    })),
    suggestion: suggestedStream(payload.filename),
    can_import: statement.lines.length > 0,
  };
}

function unreadablePreview(result: ImportResult, payload: ImportPayload): ImportPreview {
  return {
    result,
    file: { name: payload.filename, byte_length: 0 },
    dialect: { encoding: '', delimiter: '', header_row: null, date_order: null, decimal_mark: null, sign_model: '' },
    columns: [],
    rows: [],
    accounts: [],
    suggestion: suggestedStream(payload.filename),
    can_import: false,
  };
}

/** Reads a file and tells what was understood; nothing is stored but the answer. */
export function previewTask(context: TaskContext, payload: ImportPayload): TaskEnd {
  const understanding = understandFile(context, payload);
  if (understanding.kind === 'cancelled') return { end: 'cancelled' };
  const preview =
    understanding.kind === 'unreadable' ? unreadablePreview(understanding.result, payload) : previewOf(understanding.understood, payload);
  context.database.write((write) =>
    updateJob(write, context.job.id, { status: 'completed', result: JSON.stringify({ preview }), completed_at: context.clock.nowMs() }),
  );
  return { end: 'completed' };
}
