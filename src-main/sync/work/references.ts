import type { SyncContext } from './context.ts';
import { type Few, type Fields, type Item, REFERENCES } from './resources.ts';

/** Where references of the resources point, in `fields` or `extra`. */
type Translate = (resource: Few, key: string) => string | null;

/** From ids there to ids here. A preview has names for what would only be made. */
export function toHere(context: SyncContext): Translate {
  return (resource, key) => {
    const link = context.links(resource).ofRemote(key);
    if (link !== undefined) return String(link.local_id);
    return context.preview ? `there:${key}` : null;
  };
}

/** From ids here to ids there. */
export function toThere(context: SyncContext): Translate {
  return (resource, key) => {
    const link = context.links(resource).ofLocal(Number(key));
    if (link !== undefined) return link.remote_key;
    return context.preview && !context.unsure.has(`${resource} ${key}`) ? `here:${key}` : null;
  };
}

function translatedFields(resource: Few, fields: Fields, translate: Translate): Fields | null {
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

/** An object with its references in the ids of the other side; null when one of them is not there. */
export function translated(resource: Few, item: Item, translate: Translate): Item | null {
  const fields = translatedFields(resource, item.fields, translate);
  const extra = translatedFields(resource, item.extra, translate);
  return fields === null || extra === null ? null : { ...item, fields, extra };
}

/** Whether what an object belongs to is about to go from its side, and so it with it. */
export function isLeaving(leaving: ReadonlySet<string>, resource: Few, { fields, extra }: Item): boolean {
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
