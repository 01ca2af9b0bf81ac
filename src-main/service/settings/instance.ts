import { bookInstance, hashOfEntry, historyMark } from '../../store/book/instance.ts';
import { answer, timestampOf } from '../core/answers.ts';
import type { ServiceContext } from '../core/context.ts';
import type { Handlers } from '../core/handler.ts';

export function instanceHandlers({ database, version }: ServiceContext): Pick<Handlers, 'instance.get'> {
  return {
    'instance.get': ({ environment }, { entry }) => {
      const { bookId, instanceId, createdAtMs } = bookInstance(database);
      const { entries, head } = historyMark(database);
      return answer({
        instance_id: instanceId,
        environment,
        book_id: bookId,
        created_at: timestampOf(createdAtMs),
        version,
        history: { entries, head, asked: entry === undefined ? null : hashOfEntry(database, entry) },
      });
    },
  };
}
