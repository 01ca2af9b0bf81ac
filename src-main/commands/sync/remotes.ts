import type { Client } from '../../../src-shared/client/client.ts';
import { requireBook } from '../book-there.ts';
import { CommandError, EXIT, type ExitCode, type Output } from '../output.ts';
import { type CommonOptions, withSession } from '../session.ts';
import { keyOf, taken } from './sync.ts';

interface MoveOptions extends CommonOptions {
  readonly to?: string;
  readonly keyFile?: string;
}

async function listRemotes(client: Client, output: Output): Promise<ExitCode> {
  const { remotes } = await client.get('sync_remotes.list', {});
  const lines = remotes.flatMap(({ id, name, base_url: url, question }) => [
    `${id}  ${name}, ${url}`,
    ...(question === null || question.choice !== null ? [] : [`  ${question.message}`]),
  ]);
  output.print(remotes, lines.length === 0 ? ['This book has no remote.'] : lines);
  return EXIT.fine;
}

/** Gives a remote another address, which is tried first; without a number the remotes are listed. */
export function moveCommand(id: number | undefined, options: MoveOptions, output: Output): Promise<ExitCode> {
  requireBook(options.data);
  const { to, keyFile } = options;
  const key = keyFile === undefined ? {} : { api_key: keyOf(keyFile) };
  return withSession('sync', options, output, async ({ client }) => {
    if (id === undefined || to === undefined) return listRemotes(client, output);
    const outcome = await client.call('sync_remotes.update', { id, base_url: to, ...key });
    if (!outcome.ok && outcome.error.code === 'remote_unusable')
      throw new CommandError(EXIT.environment, 'remote_unusable', outcome.error.message);
    const remote = taken(outcome);
    output.print(remote, [`${remote.name} is at ${remote.base_url} from now on.`]);
    return EXIT.fine;
  });
}
