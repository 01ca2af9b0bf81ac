import { conventionLines } from './lines/convention-lines.ts';
import { backgroundLines } from './lines/background-lines.ts';
import { differenceLines } from './lines/difference-lines.ts';
import { figureLines } from './lines/figure-lines.ts';
import { signLines } from './lines/sign-lines.ts';
import { csvLines } from './lines/csv-lines.ts';
import { fieldLines } from './lines/field-lines.ts';
import { idempotencyLines } from './lines/idempotency-lines.ts';
import { importedFileLines } from './lines/imported-file-lines.ts';
import { inputLines } from './lines/input-lines.ts';
import { languageLines } from './language/language-lines.ts';
import type { Line } from './line.ts';
import { matchingLines } from './lines/matching-lines.ts';
import { otherLines } from './lines/other-lines.ts';
import { periodLines } from './lines/period-lines.ts';
import { proposalLines } from './lines/proposal-lines.ts';
import { recordLines } from './lines/record-lines.ts';
import { refusalLines } from './lines/refusal-lines.ts';
import { volumeLines } from './lines/volume-lines.ts';

/** All lines: fields of each thing, endpoints, conventions, then every wrong input. */
export const LINES: readonly Line[] = [
  ...fieldLines,
  ...recordLines,
  ...matchingLines,
  ...otherLines,
  ...figureLines,
  ...signLines,
  ...differenceLines,
  ...backgroundLines,
  ...proposalLines,
  ...periodLines,
  ...importedFileLines,
  ...languageLines,
  ...inputLines,
  ...conventionLines,
  ...csvLines,
  ...idempotencyLines,
  ...refusalLines,
  ...volumeLines,
];
