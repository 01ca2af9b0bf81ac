import { renameSync, writeFileSync } from 'node:fs';
import type { Permission } from '../../src-shared/contract/index.ts';
import { ApiKeys } from '../book/operations/api-keys.ts';
import { storedLocalPort } from '../book/operations/local-port.ts';
import { AnchorKeeper } from '../book/store/audit-anchor.ts';
import { openBook } from '../book/store/book.ts';
import type { Database } from '../database/database.ts';
import { reconciliationNames } from '../reconciliations/store/reconciliations.ts';
import { ENVIRONMENT_IDS } from '../service/handler.ts';
import { systemClock, systemRandom } from '../platform/system.ts';
import { LOOPBACK } from '../../src-shared/values/network.ts';
import { cannotWrite, CommandError, EXIT, type ExitCode, type Output, removePart } from './output.ts';
import { type CommonOptions, requireBook } from './session.ts';
import { say } from '../../src-shared/words/say.ts';

/** Runs work on the keys of a book, also while Tieout runs on the folder: short writes do not need the lock of the folder. */
function withKeys<T>(options: CommonOptions, work: (keys: ApiKeys, book: Database) => T): T {
  requireBook(options.data);
  const book = openBook(options.data);
  if (!book.ok) throw new CommandError(EXIT.environment, book.error.code, book.error.message);
  try {
    const anchor = new AnchorKeeper(options.data, book.value);
    const done = work(new ApiKeys(book.value, systemClock, systemRandom), book.value);
    anchor.keep();
    return done;
  } finally {
    book.value.close();
  }
}

export interface AddKeyOptions extends CommonOptions {
  readonly permission: Permission;
  readonly name: string;
}

export function addKey(options: AddKeyOptions, output: Output): ExitCode {
  const issued = withKeys(options, (keys) => keys.issue(options.environment, options.permission, options.name));
  output.print(issued, [
    `${issued.key}`,
    say('commands.keys.keyItIsShown', { id: issued.id, name: issued.name, environment: issued.environment, permission: issued.permission }),
  ]);
  return EXIT.fine;
}

export interface LinkOptions extends CommonOptions {
  readonly reconciliation: string;
  readonly name: string;
  /** File for a workbook that reads the figures by the link. */
  readonly workbook?: string;
  /** Port at which the workbook looks for Tieout; that of the settings where it is left out. */
  readonly port?: number;
}

/** Makes a sheet link to the figures of one reconciliation, which is given by its id or its name, and with `workbook` a file that reads them by it. */
export async function addSheetLink(
  { reconciliation: given, name, workbook, port, ...options }: LinkOptions,
  output: Output,
): Promise<ExitCode> {
  const { environment } = options;
  const made = withKeys(options, (keys, book) => {
    const all = reconciliationNames(book, ENVIRONMENT_IDS[environment]);
    const found = all.filter((each) => each.name === given || String(each.id) === given);
    const [only] = found;
    if (only === undefined) {
      const names = all.map((each) => each.name).join(', ') || '–';
      throw new CommandError(EXIT.usage, 'not_found', say('commands.keys.noReconciliation', { given, environment, names }));
    }
    if (found.length > 1) throw new CommandError(EXIT.usage, 'conflict', say('commands.keys.severalReconciliations', { given }));
    const address = `http://${LOOPBACK}:${port ?? storedLocalPort(book).port}`;
    return { address, ...keys.issue(environment, 'read', name, 'cli', only.id), reconciliation: only.name };
  });
  const { address, ...link } = made;
  const path = `/sheet/${link.key}`;
  const said = say('commands.keys.linkItIsShown', { id: link.id, name: link.name, reconciliation: link.reconciliation });
  if (workbook === undefined) {
    output.print({ ...link, path }, [path, said]);
    return EXIT.fine;
  }
  const { linkWorkbook } = await import('../domain/report/index.ts');
  const part = `${workbook}.part`;
  try {
    writeFileSync(part, linkWorkbook(link.reconciliation, `${address}${path}`));
    renameSync(part, workbook);
  } catch (error) {
    removePart(part);
    // Nobody has seen the link, so nobody could revoke it.
    withKeys(options, (keys) => keys.revoke(environment, link.id));
    throw cannotWrite(workbook, error);
  }
  output.print({ ...link, path, workbook }, [path, said, say('commands.keys.workbookReads', { workbook, address })]);
  return EXIT.fine;
}

export function listKeys(options: CommonOptions, output: Output): ExitCode {
  const listed = withKeys(options, (keys) => keys.list(options.environment));
  const lines = listed.map((key) => {
    const line = say('commands.keys.lastUsed', {
      id: key.id,
      name: key.name,
      permission:
        key.reconciliation_id === null
          ? key.permission
          : say('commands.keys.ofReconciliation', { permission: key.permission, id: key.reconciliation_id }),
      lastUsedAt: key.last_used_at ?? 'never',
    });
    return key.revoked_at === null ? line : `${line}  ${say('commands.keys.revoked', { revokedAt: key.revoked_at })}`;
  });
  output.print(listed, lines.length === 0 ? [say('commands.keys.noKeysInYet', { environment: options.environment })] : lines);
  return EXIT.fine;
}

export function revokeKey(id: number, options: CommonOptions, output: Output): ExitCode {
  if (!withKeys(options, (keys) => keys.revoke(options.environment, id))) {
    throw new CommandError(EXIT.usage, 'not_found', say('commands.keys.thereIsNoLive', { id, environment: options.environment }));
  }
  output.print({ id, revoked: true }, [say('commands.keys.keyIsRevoked', { id })]);
  return EXIT.fine;
}
