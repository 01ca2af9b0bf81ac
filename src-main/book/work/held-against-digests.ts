import type { Database } from '../../database/database.ts';
import { CHECKS } from './checks/list.ts';
import { checkBook, mendBook } from './checks/verify-book.ts';

/** What a person may accept of a changed backup: what stands in rows. A schema that is not Tieout's, a broken log or a changed signature never is. */
const ACCEPTABLE: ReadonlySet<string> = new Set(['content', 'lists', 'matches', 'packs', 'search']);
const MOST_NAMED = 3;
const MOST_KEPT = 20;

/** The fault alone: what `tieout verify` advises is meant for the book itself. */
function faultIn(message: string): string {
  const [sentence = message] = message.split(/(?<=[^.])\. (?=[A-Z])/);
  return sentence
    .replace(/: (?:something changed|something took|restore the book|take the match|it may change)[^]*$/, '')
    .replace(/\.$/, '');
}

function listed(faults: readonly string[]): string {
  const more = faults.length - MOST_NAMED;
  return `${faults.slice(0, MOST_NAMED).join('; ')}${more > 0 ? `; and ${more} more` : ''}`;
}

interface HeldAgainst {
  /** Why the copy is refused; null where it is not. */
  readonly never: string | null;
  readonly accepted: readonly string[];
}

/** Holds a copy of a backup against its digests, its log, its signatures and the schema of Tieout. `digestFault`: what is wrong with the bytes of its file. */
export function faultsWithoutTieout(copy: Database, digestFault: string | null, isAccepted: boolean): HeldAgainst {
  copy.keepContent();
  const checked = checkBook(copy, CHECKS, () => undefined).filter(({ findings }) => findings.length > 0);
  const faultsOf = (isMeant: (id: string) => boolean): string[] =>
    checked.filter(({ check }) => isMeant(check.id)).flatMap(({ findings }) => findings.map(({ message }) => faultIn(message)));
  const [never, perhaps] = [faultsOf((id) => !ACCEPTABLE.has(id)), faultsOf((id) => ACCEPTABLE.has(id))];
  if (digestFault !== null) perhaps.push(digestFault);
  if (never.length > 0) return { never: `something changed it without Tieout (${listed([...never, ...perhaps])})`, accepted: [] };
  if (perhaps.length === 0) return { never: null, accepted: [] };
  if (!isAccepted) {
    const how = 'Restore another backup; tieout restore --accept-changes takes this one as it is';
    return { never: `something changed it without Tieout (${listed(perhaps)}). ${how}`, accepted: [] };
  }
  mendBook(copy, checked);
  return { never: null, accepted: perhaps.slice(0, MOST_KEPT) };
}
