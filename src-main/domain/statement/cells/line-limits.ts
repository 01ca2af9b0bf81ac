import { LIMITS } from '../../../../src-shared/contract/common.ts';
import type { Problem } from '../../../../src-shared/contract/index.ts';
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
    const message = `The description in row ${row} has ${description.length} characters; ${LIMITS.descriptionLength} is the limit. Shorten it in the file.`;
    problems.push(rejection(row, columns.description, 'description_too_long', message));
  }
  if (externalId !== null && externalId.length > LIMITS.externalIdLength) {
    const message = `The id in row ${row} has ${externalId.length} characters; ${LIMITS.externalIdLength} is the limit. Shorten it in the file.`;
    problems.push(rejection(row, columns.externalId, 'external_id_too_long', message));
  }
  if (metadataBytes > LIMITS.metadataBytes) {
    const message = `The further fields of row ${row} hold ${metadataBytes} bytes; ${LIMITS.metadataBytes} is the limit. Shorten one in the file.`;
    problems.push(rejection(row, null, 'metadata_too_long', message));
  }
  return problems;
}

/** The store would replace each half of a character by the same sign, so that different ids became one. */
function brokenText(row: number, column: string | null): Problem {
  const message = `A text in row ${row} holds half of a character (a lone surrogate), so it cannot be kept as it is. Export the file anew, or correct it there.`;
  return rejection(row, column, 'broken_text', message);
}

/** Returns the size of the metadata as JSON, in bytes. */
export function bytesOf(metadata: Readonly<Record<string, string>>): number {
  return new TextEncoder().encode(JSON.stringify(metadata)).length;
}
