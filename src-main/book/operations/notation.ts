import { AREAS } from '../../../src-shared/contract/events.ts';
import { type NotationChoice, notationOf, takeNotation } from '../../../src-shared/values/notation.ts';
import { answer } from '../../service/answers.ts';
import type { ServiceContext } from '../../service/context.ts';
import type { Handlers } from '../../service/handler.ts';
import { appendAudit } from '../store/audit.ts';
import { chosenNotation } from '../store/notation.ts';
import { setSetting } from '../store/settings.ts';

export function notationHandlers({ database, clock, changed }: ServiceContext): Pick<Handlers, 'notation.get' | 'notation.update'> {
  const view = () => {
    const choice = chosenNotation(database);
    return { ...choice, in_use: notationOf(choice) };
  };
  return {
    'notation.get': () => answer(view()),
    'notation.update': ({ actor, environmentId }, input) => {
      const given = Object.fromEntries(Object.entries(input).filter(([, value]) => value !== undefined));
      const before = chosenNotation(database);
      const next: NotationChoice = { ...before, ...given };
      database.write((write) => {
        setSetting(write, 'notation', JSON.stringify(next));
        appendAudit(write, {
          environmentId,
          atMs: clock.nowMs(),
          actor,
          action: 'notation.updated',
          detail: { before: { ...before }, change: given },
        });
      });
      takeNotation(notationOf(next));
      // Answers hold sentences with days and amounts, so all of them are old.
      changed(AREAS);
      return answer(view());
    },
  };
}
