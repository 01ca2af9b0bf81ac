import type { ImportAnswers } from '../../src-shared/contract/index.ts';
import type { CommonOptions } from './session.ts';

export interface ImportOptions extends CommonOptions {
  readonly stream: string;
  readonly name?: string | undefined;
  readonly currency?: string | undefined;
  readonly account?: string | undefined;
  /** Name of the bank account that the stream is to be linked to; `false`: to none, whatever a recipe says. */
  readonly bankAccount?: string | boolean | undefined;
  /** Name of the sheet of a workbook to read. */
  readonly sheet?: string | undefined;
  /** File of the recipe to read the table by. */
  readonly recipe?: string | undefined;
  /** File that the recipe used is written to. */
  readonly recipeOut?: string | undefined;
  /** Name under which the recipe is kept in the book. */
  readonly remember?: string | undefined;
  /** What to do where a kept recipe is doubtful. */
  readonly keptRecipe?: 'ask' | 'use' | 'guess';
  /** What is said of how the file is read, whatever it shows. */
  readonly dateOrder?: 'ymd' | 'dmy' | 'mdy' | undefined;
  readonly decimalMark?: '.' | ',' | undefined;
  readonly signs?: ImportAnswers['sign_model'];
  /** Words that mean money out, in the column that tells in from out; `false`: none does. */
  readonly moneyOut?: readonly string[] | false | undefined;
  /** Whether lines with the day and amount of lines already there are the same ones. */
  readonly overlap?: ImportAnswers['overlap'];
  /** What becomes of an entry of several transactions. */
  readonly batchLines?: ImportAnswers['batch_lines'];
  readonly dryRun: boolean;
  readonly acceptRejected: boolean;
  readonly acceptBroken: boolean;
  readonly acceptCurrency?: boolean;
  readonly acceptTarget?: boolean;
  /** Lines with the id of a stored one and other content take its place, where that is not matched. */
  readonly takeNew?: boolean;
  /** Whether what runs read is packed before the command ends; else who opens the book next does it in the background. */
  readonly pack: boolean;
}
