import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { openTestBook } from '../../support/books/backend.ts';
import { setUpPair } from '../../support/books/lines.ts';

/** Every file of a folder, whole. */
function filesOf(folder: string): { readonly name: string; readonly bytes: Buffer }[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => ({ name: entry.name, bytes: readFileSync(path.join(entry.parentPath, entry.name)) }));
}

async function ended(client: Awaited<ReturnType<typeof openTestBook>>['client'], id: number) {
  await expect.poll(async () => (await client.get('syncs.get', { id })).activity?.ended_at ?? null, { timeout: 20_000 }).not.toBeNull();
  return (await client.get('syncs.get', { id })).activity;
}

test('the key of a remote is in no file of the data folder, no backup, no answer, event or log', async () => {
  const here = await openTestBook();
  const there = await openTestBook();
  const lines = [{ amount: 100, currency: 'USD' }];
  await setUpPair(here.client, { a: lines, b: lines }, []);
  const { baseUrl, apiKey } = await there.backend.serveHttp({ port: 0, uiFolder: null, environment: 'live' });
  const { client } = here;
  const given = { base_url: baseUrl, api_key: apiKey };
  const answers: unknown[] = [await client.get('sync_remotes.probe', given)];
  const remote = await client.get('sync_remotes.create', { name: 'Head office', ...given });
  expect(remote).toMatchObject({ kind: 'tieout', state: 'not_synced', key_kept: 'encrypted_file', waiting: 5 });
  await client.get('syncs.start', { id: remote.id, what: 'sync' });
  const activity = await ended(client, remote.id);
  expect(activity?.error).toBeNull();
  answers.push(remote, activity, await client.get('sync_runs.list', { id: remote.id }));
  const [synced] = (await client.get('sync_remotes.list', {})).remotes;
  expect(synced).toMatchObject({ state: 'agrees', waiting: 0, next_at: null });
  answers.push(await client.get('sync_remotes.update', { id: remote.id, api_key: apiKey, every_minutes: 60, when_online: true }));
  const [scheduled] = (await client.get('sync_remotes.list', {})).remotes;
  expect(Date.parse(scheduled?.next_at ?? '')).toBeGreaterThan(Date.parse(scheduled?.last_synced_at ?? ''));
  // Refusals tell it no more than answers do.
  answers.push(await here.client.refusal('sync_remotes.create', { name: 'Again', ...given }));
  answers.push(await here.client.refusal('sync_remotes.probe', { base_url: baseUrl.replace('/v1', '/elsewhere'), api_key: apiKey }));
  answers.push(await here.client.refusal('sync_remotes.probe', { base_url: baseUrl, api_key: `${apiKey} and more` }));
  answers.push(await client.get('backups.create', {}));
  await here.close();
  const files = filesOf(here.folder);
  expect(files.map(({ name }) => name)).toContain('sync-keys.json');
  expect(files.filter(({ name }) => name.endsWith('.sqlite')).length).toBeGreaterThan(2);
  const said = JSON.stringify([answers, here.events, here.log.lines]);
  for (const form of [apiKey, Buffer.from(apiKey).toString('base64').replaceAll('=', ''), Buffer.from(apiKey).toString('hex')]) {
    expect(files.filter(({ bytes }) => bytes.includes(form)).map(({ name }) => name)).toEqual([]);
    expect(said).not.toContain(form);
  }
});

test('a remote that is not one is refused with a sentence, and nothing of it stays', async () => {
  const here = await openTestBook();
  const there = await openTestBook();
  const { baseUrl, apiKey } = await there.backend.serveHttp({ port: 0, uiFolder: null, environment: 'live' });
  const refused = async (base_url: string, api_key: string) =>
    (await here.client.refusal('sync_remotes.create', { name: 'x', base_url, api_key })).message;
  expect(await refused('no address', apiKey)).toMatch(/is no address of a connection/);
  expect(await refused(`http://user:secret@127.0.0.1/v1`, apiKey)).toMatch(/user name or a password/);
  expect(await refused(baseUrl, 'wrong')).toMatch(/key/i);
  expect(await refused(baseUrl.replace('/v1', ''), apiKey)).toMatch(/no reconciliation service|web page/);
  expect((await here.client.get('sync_remotes.list', {})).remotes).toEqual([]);
  expect(filesOf(here.folder).map(({ name }) => name)).not.toContain('sync-keys.json');
});
