import { that } from '../that.ts';
import type { OperationId } from '../../../src-shared/contract/index.ts';
import { FIELDS, type Thing } from '../fields.ts';
import { isOfKind } from '../kinds.ts';
import type { Line } from '../line.ts';
import type { Body } from '../make.ts';
import type { Service } from '../service.ts';
import { SOURCES } from '../sources.ts';

/** What was fetched from one service, so that the proofs of a thing's fields look at the same answers. */
const fetched = new WeakMap<Service, Map<string, Promise<Body>>>();

function answerOf(service: Service, thing: Thing, operation: OperationId): Promise<Body> {
  const known = fetched.get(service) ?? new Map<string, Promise<Body>>();
  fetched.set(service, known);
  const name = `${thing} ${operation}`;
  const answer = known.get(name) ?? SOURCES[thing][operation]?.(service) ?? Promise.reject(new Error(`nothing answers ${name}`));
  known.set(name, answer);
  return answer;
}

/** One line for each field: every operation that answers the thing answers the field, of its kind. */
export const fieldLines: readonly Line[] = (Object.keys(FIELDS) as Thing[]).flatMap((thing) => {
  const operations = Object.keys(SOURCES[thing]) as OperationId[];
  return FIELDS[thing].map(([name, kind, says]) => ({
    id: `${thing}.${name}`,
    says: `${says} (${kind})`,
    operations,
    async proves(service: Service) {
      for (const operation of operations) {
        if (service.focus !== null && service.focus !== operation) continue;
        const body = await answerOf(service, thing, operation);
        that(Object.keys(body), `${operation} answers ${name}`).toContain(name);
        that(isOfKind(body[name], kind), `${operation} answers ${name} as ${kind}: ${JSON.stringify(body[name])}`).toBe(true);
      }
    },
  }));
});
