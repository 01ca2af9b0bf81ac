import type { SyncContext } from './context.ts';
import { type LowVolume, type Fields, type Item, REFERENCES } from './resources.ts';

/** Translates an id of a resource from one side to the other; null if the other side does not have the object. */
type Translate = (resource: LowVolume, key: string) => string | null;

/** Returns the translation from remote to local ids. A preview returns placeholders for objects that it would create. */
export function toHere(context: SyncContext): Translate {
  return (resource, key) => {
    const link = context.links(resource).ofRemote(key);
    if (link !== undefined) return String(link.local_id);
    return context.preview ? `there:${key}` : null;
  };
}

/** Returns the translation from local to remote ids. A preview returns placeholders for objects that it would create. */
export function toThere(context: SyncContext): Translate {
  return (resource, key) => {
    const link = context.links(resource).ofLocal(Number(key));
    if (link !== undefined) return link.remote_key;
    return context.preview && !context.unsure.has(`${resource} ${key}`) ? `here:${key}` : null;
  };
}

function translatedFields(resource: LowVolume, fields: Fields, translate: Translate): Fields | null {
  const known = REFERENCES[resource] ?? {};
  const changed: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(fields)) {
    const target = known[name];
    if (target !== undefined && typeof value === 'string') {
      changed[name] = translate(target, value);
      if (changed[name] === null) return null;
    } else if (resource === 'stories' && name === 'links') {
      const links = (value as readonly { reconciliation: string; shared: string | null }[]).map((link) => ({
        ...link,
        reconciliation: translate('reconciliations', link.reconciliation),
      }));
      if (links.some(({ reconciliation }) => reconciliation === null)) return null;
      changed[name] = links;
    } else changed[name] = value;
  }
  return changed;
}

/** Returns an object with its references in the ids of the other side; null if the other side lacks one of them. */
export function translated(resource: LowVolume, item: Item, translate: Translate): Item | null {
  const fields = translatedFields(resource, item.fields, translate);
  const extra = translatedFields(resource, item.extra, translate);
  return fields === null || extra === null ? null : { ...item, fields, extra };
}

/** Whether the object's parent is about to be deleted from its side, and the object with it. */
export function isLeaving(leaving: ReadonlySet<string>, resource: LowVolume, { fields, extra }: Item): boolean {
  const all = { ...extra, ...fields };
  const parents: [string, unknown][] =
    resource === 'rules'
      ? [['reconciliations', all['reconciliation']]]
      : resource === 'properties' || resource === 'imports'
        ? [['streams', all['stream']]]
        : resource === 'balances'
          ? [['accounts', all['account']]]
          : [];
  return parents.some(([parent, key]) => leaving.has(`${parent} ${String(key)}`));
}
