import { COMPUTERS_CHOICE, type Notation, type NotationChoice, notationOf } from '../../../src-shared/values/notation.ts';
import type { ReadHandle } from '../../database/database.ts';
import { storedJson } from '../../database/json-columns.ts';
import { setting } from './settings.ts';

/** Returns what a person chose; the computer's own where the book has no choice or it cannot be read. */
export function chosenNotation(read: ReadHandle): NotationChoice {
  const stored = setting(read, 'notation');
  if (stored === null) return COMPUTERS_CHOICE;
  try {
    return storedJson('settings.value:notation', stored, 'notation');
  } catch {
    return COMPUTERS_CHOICE;
  }
}

/** Returns the notation of the book. */
export function bookNotation(read: ReadHandle): Notation {
  return notationOf(chosenNotation(read));
}
