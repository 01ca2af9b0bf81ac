import { answer, timestampOf } from '../../service/answers.ts';
import type { ServiceContext } from '../../service/context.ts';
import type { Handlers } from '../../service/handler.ts';
import { bookInstance, hashOfEntry, historyMark } from '../store/settings.ts';

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
