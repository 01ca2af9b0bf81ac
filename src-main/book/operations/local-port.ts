import { isIP } from 'node:net';
import { type LocalPortChange, localPortSettings, OTHER_MACHINES_SENTENCE } from '../../../src-shared/contract/book/local-port.ts';
import type { FieldError, LocalPort, LocalPortSettings } from '../../../src-shared/contract/index.ts';
import { hostNameFrom, isLoopback, LOOPBACK, originFrom } from '../../../src-shared/values/network.ts';
import { failed, type Result, success } from '../../../src-shared/values/result.ts';
import { phrase } from '../../../src-shared/words/say.ts';
import type { Database } from '../../database/database.ts';
import { answer, refuse } from '../../service/answers.ts';
import type { PortFailure, ServiceContext } from '../../service/context.ts';
import type { Handlers } from '../../service/handler.ts';
import { appendAudit } from '../store/audit.ts';
import { setSetting, setting } from '../store/settings.ts';

/** Off, at a fixed port, so that a spreadsheet finds it again. */
export const LOCAL_PORT_AT_FIRST: LocalPortSettings = {
  enabled: false,
  port: 4690,
  address: LOOPBACK,
  host_names: [],
  allowed_origins: [],
};

/** Returns the settings in the book; off if they are unreadable. */
export function storedLocalPort(database: Database): LocalPortSettings {
  const stored = setting(database, 'local_port');
  if (stored === null) return LOCAL_PORT_AT_FIRST;
  const read = localPortSettings.safeParse(parsed(stored));
  return read.success ? read.data : LOCAL_PORT_AT_FIRST;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

/** Runs one change at a time: each starts from the result of the previous one. */
export function localPortHandlers(context: ServiceContext): Pick<Handlers, 'local_port.get' | 'local_port.update'> {
  const { database, clock, localPort } = context;
  const state = (): LocalPort => ({ ...localPort.settings(), ...localPort.state() });
  let before: Promise<unknown> = Promise.resolve();
  const update = async (actor: string, environmentId: number, input: LocalPortChange) => {
    const next = nextSettings(localPort.settings(), input);
    if (!next.ok) return next;
    const isMoved = input.enabled !== undefined || input.port !== undefined || input.address !== undefined;
    const changed = await localPort.change(next.value, isMoved);
    if (!changed.ok) return changed;
    try {
      database.write((write) => {
        setSetting(write, 'local_port', JSON.stringify(next.value));
        appendAudit(write, { environmentId, atMs: clock.nowMs(), actor, action: 'local_port.updated', detail: { ...next.value } });
      });
    } catch (error) {
      await changed.value();
      throw error;
    }
    context.changed(['local_port']);
    return answer(state());
  };
  return {
    'local_port.get': () => answer(state()),
    'local_port.update': (caller, input) => {
      const own = before.then(() => update(caller.actor, caller.environmentId, input));
      before = own.catch(() => {});
      return own;
    },
  };
}

function nextSettings(now: LocalPortSettings, input: LocalPortChange): Result<LocalPortSettings, PortFailure> {
  const { sentence, ...given } = input;
  const origins = checked('allowed_origins', given.allowed_origins ?? now.allowed_origins, originFrom);
  const names = checked('host_names', given.host_names ?? now.host_names, hostNameFrom);
  const faults = [...origins.faults, ...names.faults, ...addressFaults(given.address)];
  const [first] = faults;
  if (first !== undefined) return refuse('validation_failed', first.message, faults);
  const next: LocalPortSettings = {
    enabled: given.enabled ?? now.enabled,
    port: given.port === undefined ? now.port : given.port,
    address: given.address ?? now.address,
    host_names: names.values,
    allowed_origins: origins.values,
  };
  return isSaid(now, next, sentence) ? success(next) : failed(SENTENCE_MISSING);
}

const SENTENCE_WORDS = phrase('book.refusals.toLetOtherMachinesReachThisBook', { sentence: OTHER_MACHINES_SENTENCE });
const SENTENCE_MISSING: PortFailure = {
  code: 'sentence_missing',
  message: SENTENCE_WORDS,
  errors: [{ path: 'sentence', code: 'sentence_missing', message: SENTENCE_WORDS }],
};

/** Whether the person confirmed in words that other machines may connect, if the new address is reachable from them. */
function isSaid(now: LocalPortSettings, next: LocalPortSettings, sentence: string | undefined): boolean {
  if (isLoopback(next.address) || next.address === now.address) return true;
  return sentence?.trim().toLowerCase().replaceAll(/\s+/g, ' ').replace(/\.$/, '') === OTHER_MACHINES_SENTENCE;
}

function addressFaults(address: string | undefined): FieldError[] {
  if (address === undefined || isIP(address) !== 0) return [];
  const message = phrase('book.refusals.addressMustBeAnIpAddress');
  return [{ path: 'address', code: 'invalid_address', message }];
}

/** Returns a list without repetitions, and what is wrong in it. */
function checked(
  path: 'allowed_origins' | 'host_names',
  given: readonly string[],
  read: (text: string) => Result<string, string>,
): { readonly values: string[]; readonly faults: FieldError[] } {
  const values = new Set<string>();
  const faults: FieldError[] = [];
  for (const [index, text] of given.entries()) {
    const one = read(text);
    if (one.ok) values.add(one.value);
    else
      faults.push({ path: `${path}.${index}`, code: path === 'host_names' ? 'invalid_host_name' : 'invalid_origin', message: one.error });
  }
  return { values: [...values], faults };
}
