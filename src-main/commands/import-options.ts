import type { ImportAnswers } from '../../src-shared/contract/index.ts';
import type { CommonOptions } from './session.ts';

export interface ImportOptions extends CommonOptions {
  readonly stream: string;
  readonly name?: string | undefined;
  readonly currency?: string | undefined;
  readonly account?: string | undefined;
  /** Name of the bank account to link the stream to; `false` leaves it unlinked, whatever a recipe says. */
  readonly bankAccount?: string | boolean | undefined;
  /** Name of the sheet of a workbook to read. */
  readonly sheet?: string | undefined;
  /** File of the recipe to read the table by. */
  readonly recipe?: string | undefined;
  /** File that the recipe used is written to. */
  readonly recipeOut?: string | undefined;
  /** Name under which the recipe is kept in the book. */
  readonly remember?: string | undefined;
  /** The action where a kept recipe is doubtful. */
  readonly keptRecipe?: 'ask' | 'use' | 'guess';
  /** Answers about how the file is read, which override what it shows. */
  readonly dateOrder?: 'ymd' | 'dmy' | 'mdy' | undefined;
  readonly decimalMark?: '.' | ',' | undefined;
  readonly signs?: ImportAnswers['sign_model'];
  /** Words for money out in the column of directions; `false` means that there are none. */
  readonly moneyOut?: readonly string[] | false | undefined;
  /** Whether lines with the day and amount of lines already there are the same ones. */
  readonly overlap?: ImportAnswers['overlap'];
  /** The form in which an entry of several transactions is imported. */
  readonly batchLines?: ImportAnswers['batch_lines'];
  readonly dryRun: boolean;
  readonly acceptRejected: boolean;
  readonly acceptBroken: boolean;
  /** Whether the lines of a PDF are imported that no balance proves. */
  readonly acceptUnproved?: boolean;
  /** The password of a locked PDF. */
  readonly password?: string | undefined;
  /** Whether the password is the first line of the standard input. */
  readonly passwordStdin?: boolean;
  readonly acceptCurrency?: boolean;
  readonly acceptTarget?: boolean;
  /** Whether lines with the id of a stored line and other content replace it, where it is not matched. */
  readonly takeNew?: boolean;
  /** Whether the command packs column segments before it ends; else the next process that opens the book does so in the background. */
  readonly pack: boolean;
}
