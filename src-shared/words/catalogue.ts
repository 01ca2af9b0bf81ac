import { bookWords } from './book.ts';
import { closeWords } from './close.ts';
import { commandsWords } from './commands.ts';
import { commonWords } from './common.ts';
import { databasesWords } from './databases.ts';
import { importsWords } from './imports.ts';
import { matchesWords } from './matches.ts';
import { reconciliationsWords } from './reconciliations.ts';
import { recordsWords } from './records.ts';
import { rulesWords } from './rules.ts';
import { runsWords } from './runs.ts';
import { shellWords } from './shell.ts';
import { streamsWords } from './streams.ts';
import { syncWords } from './sync.ts';
import { ledgerWords } from './ledger.ts';
import { reportWords } from './report.ts';
import { statementWords } from './statement.ts';
import { changesWords } from './changes.ts';
import { requestsWords } from './requests.ts';
import { warehouseWords } from './warehouse.ts';

/**
 * Every sentence that the window and the command line say, as an ICU message, in the words of the book's nouns. A key begins with its noun, then names
 * the place. In a plural the forms stand right behind their keyword: `{count, plural, one{# line} other{# lines}}`.
 */
export const catalogue = {
  ...commonWords,
  ...shellWords,
  ...bookWords,
  ...streamsWords,
  ...recordsWords,
  ...databasesWords,
  ...importsWords,
  ...matchesWords,
  ...reconciliationsWords,
  ...rulesWords,
  ...runsWords,
  ...closeWords,
  ...syncWords,
  ...commandsWords,
  ...ledgerWords,
  ...reportWords,
  ...statementWords,
  ...changesWords,
  ...requestsWords,
  ...warehouseWords,
} as const;

export type Catalogue = typeof catalogue;
export type WordKey = keyof Catalogue;
