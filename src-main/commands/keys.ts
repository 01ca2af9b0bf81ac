import type { Permission } from '../../src-shared/contract/index.ts';
import { ApiKeys } from '../book/operations/api-keys.ts';
import { AnchorKeeper } from '../book/store/audit-anchor.ts';
import { openBook } from '../book/store/book.ts';
import type { ReadHandle } from '../database/database.ts';
import { reconciliationNames } from '../reconciliations/store/reconciliations.ts';
import { ENVIRONMENT_IDS } from '../service/handler.ts';
import { systemClock, systemRandom } from '../platform/system.ts';
import { CommandError, EXIT, type ExitCode, type Output } from './output.ts';
import { type CommonOptions, requireBook } from './session.ts';
import { say } from '../../src-shared/words/say.ts';

/** Runs work on the keys of a book, also while Tieout runs on the folder: short writes do not need the lock of the folder. */
function withKeys<T>(options: CommonOptions, work: (keys: ApiKeys, read: ReadHandle) => T): T {
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
}

/** Makes a sheet link to the figures of one reconciliation, which is given by its id or its name. */
export function addSheetLink({ reconciliation: given, name, ...options }: LinkOptions, output: Output): ExitCode {
  const { environment } = options;
  const made = withKeys(options, (keys, read) => {
    const all = reconciliationNames(read, ENVIRONMENT_IDS[environment]);
    const found = all.filter((each) => each.name === given || String(each.id) === given);
    const [only] = found;
    if (only === undefined) {
      const names = all.map((each) => each.name).join(', ') || '–';
      throw new CommandError(EXIT.usage, 'not_found', say('commands.keys.noReconciliation', { given, environment, names }));
    }
    if (found.length > 1) throw new CommandError(EXIT.usage, 'conflict', say('commands.keys.severalReconciliations', { given }));
    return { ...keys.issue(environment, 'read', name, 'cli', only.id), reconciliation: only.name };
  });
  const path = `/sheet/${made.key}`;
  output.print({ ...made, path }, [
    path,
    say('commands.keys.linkItIsShown', { id: made.id, name: made.name, reconciliation: made.reconciliation }),
  ]);
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
