import path from 'node:path';
import { applicationFolder } from '../platform/system.ts';
import { importFile, type ImportOptions } from './import.ts';
import { CommandError, EXIT, type ExitCode, type Output } from './output.ts';
import { type CommonOptions, type Session, withOwnSession } from './session.ts';
import { say } from '../../src-shared/words/say.ts';

const SAMPLE_NAME = say('commands.demo.sampleBookJune');
const RECONCILIATION = say('commands.demo.juneLedgerAndBank');
const FILES = [
  { file: 'ledger-june.csv', stream: 'ledger', name: say('commands.demo.ledgerCashAccount') },
  { file: 'bank-statement-june.csv', stream: 'bank', name: say('commands.demo.bankCurrentAccount') },
] as const;

async function importSample(session: Session, options: CommonOptions): Promise<void> {
  for (const sample of FILES) {
    const file = path.join(applicationFolder(), 'resources', 'samples', sample.file);
    const wanted: ImportOptions = {
      ...options,
      stream: sample.stream,
      name: sample.name,
      currency: 'GBP',
      dryRun: false,
      acceptRejected: false,
      acceptBroken: false,
      pack: false,
    };
    const result = await importFile(session, file, wanted);
    if (result.batch_id === null) {
      throw new CommandError(
        EXIT.problems,
        'sample_not_imported',
        say('commands.demo.theSampleFileWasNotImported', {
          file: sample.file,
          message: result.problems[0]?.message ?? say('commands.demo.forNoReasonGiven'),
        }),
      );
    }
  }
}

export interface SampleBook {
  readonly data: string;
  readonly reconciliation_id: number;
  readonly created: boolean;
  readonly streams: readonly string[];
}

/** Builds the sample book in a folder. An existing sample book stays as it is; another book is refused. */
export async function buildSampleBook(options: CommonOptions, output: Output): Promise<SampleBook> {
  return withOwnSession('demo', options, output, async (session) => {
    const { client } = session;
    const streams = FILES.map((sample) => sample.stream);
    const book = await client.get('book.overview', {});
    const reconciliations = await client.get('reconciliations.list', {});
    const there = reconciliations.data.find((reconciliation) => reconciliation.name === RECONCILIATION);
    if (book.is_sample && there !== undefined) return { data: options.data, reconciliation_id: there.id, created: false, streams };
    if (!book.is_sample && book.streams.length > 0) {
      throw new CommandError(EXIT.usage, 'folder_has_a_book', say('commands.demo.holdsABookAlready', { data: options.data }));
    }
    await client.get('book.update', { name: SAMPLE_NAME, is_sample: true });
    await importSample(session, options);
    const made = await client.get('reconciliations.set_up', {
      name: RECONCILIATION,
      run_type: 'batch',
      side_a_keys: ['ledger'],
      side_b_keys: ['bank'],
    });
    return { data: options.data, reconciliation_id: made.reconciliation.id, created: true, streams };
  });
}

/** Whether this is a checkout, whose scripts of npm start Tieout: elsewhere the command is `tieout` itself. */
function isCheckout(): boolean {
  return path.basename(process.argv[1] ?? '') === 'launch.mjs';
}

export async function demo(options: CommonOptions, output: Output): Promise<ExitCode> {
  const book = await buildSampleBook(options, output);
  output.print(book, [
    book.created
      ? say('commands.demo.theSampleBookIsInTwo', { data: options.data })
      : say('commands.demo.theSampleBookIsInAlready', { data: options.data }),
    say(isCheckout() ? 'commands.demo.openItNpmStart' : 'commands.demo.openIt', { data: options.data }),
  ]);
  return EXIT.fine;
}
