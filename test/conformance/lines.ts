import { conventionLines } from './convention-lines.ts';
import { backgroundLines } from './background-lines.ts';
import { differenceLines } from './difference-lines.ts';
import { figureLines } from './figure-lines.ts';
import { signLines } from './sign-lines.ts';
import { csvLines } from './csv-lines.ts';
import { fieldLines } from './field-lines.ts';
import { idempotencyLines } from './idempotency-lines.ts';
import { inputLines } from './input-lines.ts';
import { languageLines } from './language-lines.ts';
import type { Line } from './line.ts';
import { matchingLines } from './matching-lines.ts';
import { otherLines } from './other-lines.ts';
import { proposalLines } from './proposal-lines.ts';
import { recordLines } from './record-lines.ts';
import { refusalLines } from './refusal-lines.ts';
import { volumeLines } from './volume-lines.ts';

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
  ...languageLines,
  ...inputLines,
  ...conventionLines,
  ...csvLines,
  ...idempotencyLines,
  ...refusalLines,
  ...volumeLines,
];
