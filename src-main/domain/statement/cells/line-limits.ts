import { LIMITS } from '../../../../src-shared/contract/common.ts';
import type { Problem } from '../../../../src-shared/contract/index.ts';
import { phrase } from '../../../../src-shared/words/say.ts';
import { rejection } from '../model/problems.ts';

/** The parts of a line that may be longer than a record can hold. */
interface LineSizes {
  readonly row: number;
  readonly description: string | null;
  readonly externalId: string | null;
  readonly metadata: Readonly<Record<string, string>>;
  readonly metadataBytes: number;
}

const NO_COLUMNS = { description: null, externalId: null };

/** Returns a rejection for each part of a line that is too long or not well-formed text. `columns` are the headers, where the file has some. */
export function sizeProblems(
  { row, description, externalId, metadata, metadataBytes }: LineSizes,
  columns: { readonly description: string | null; readonly externalId: string | null } = NO_COLUMNS,
): readonly Problem[] {
  const problems: Problem[] = [];
  if (description?.isWellFormed() === false) problems.push(brokenText(row, columns.description));
  if (externalId?.isWellFormed() === false) problems.push(brokenText(row, columns.externalId));
  for (const key in metadata) {
    if (key.isWellFormed() && metadata[key]?.isWellFormed() !== false) continue;
    problems.push(brokenText(row, key.toWellFormed()));
  }
  if (description !== null && description.length > LIMITS.descriptionLength) {
    const message = phrase('statement.lineLimits.descriptionInRowHasCharacters', {
      row,
      description: description.length,
      descriptionLength: LIMITS.descriptionLength,
    });
    problems.push(rejection(row, columns.description, 'description_too_long', message));
  }
  if (externalId !== null && externalId.length > LIMITS.externalIdLength) {
    const message = phrase('statement.lineLimits.idInRowHasCharacters', {
      row,
      externalId: externalId.length,
      externalIdLength: LIMITS.externalIdLength,
    });
    problems.push(rejection(row, columns.externalId, 'external_id_too_long', message));
  }
  if (metadataBytes > LIMITS.metadataBytes) {
    const message = phrase('statement.lineLimits.theFurtherFieldsOfRow', { row, metadataBytes, metadataBytes2: LIMITS.metadataBytes });
    problems.push(rejection(row, null, 'metadata_too_long', message));
  }
  return problems;
}

/** The store would replace each half of a character by the same sign, so that different ids became one. */
function brokenText(row: number, column: string | null): Problem {
  const message = phrase('statement.lineLimits.aTextInRowHolds', { row });
  return rejection(row, column, 'broken_text', message);
}

/** Returns the size of the metadata as JSON, in bytes. */
export function bytesOf(metadata: Readonly<Record<string, string>>): number {
  return new TextEncoder().encode(JSON.stringify(metadata)).length;
}
