import type { SavedView } from '../../../src-shared/contract/book/views.ts';
import { phrase } from '../../../src-shared/words/say.ts';
import type { WriteHandle } from '../../database/database.ts';
import { answer, missing, refuse } from '../../service/answers.ts';
import type { ServiceContext } from '../../service/context.ts';
import type { Caller, Handlers } from '../../service/handler.ts';
import { appendAudit } from '../store/audit.ts';
import { insertView, savedView, savedViews, setViewRemoved, updateView } from '../store/views.ts';

type Named = Pick<SavedView, 'list' | 'name'>;

/** Returns the handlers of filters that people keep under a name. A name is taken in its list, in whatever case. */
export function viewHandlers({
  database,
  clock,
  changed,
}: ServiceContext): Pick<Handlers, 'views.list' | 'views.create' | 'views.update' | 'views.remove' | 'views.restore'> {
  const isTaken = ({ environmentId }: Caller, { list, name }: Named, ownId?: number): boolean =>
    savedViews(database, environmentId, list).some((view) => view.id !== ownId && view.name.toLowerCase() === name.toLowerCase());
  const taken = ({ name }: Named) => refuse('conflict', phrase('book.views.thereIsAView', { name }));
  const audited = (
    caller: Caller,
    action: `view.${'created' | 'updated' | 'deleted' | 'restored'}`,
    work: (write: WriteHandle, atMs: number) => SavedView,
  ): SavedView => {
    const view = database.write((write) => {
      const atMs = clock.nowMs();
      const done = work(write, atMs);
      const { environmentId, actor } = caller;
      const detail = { view_id: done.id, list: done.list, name: done.name, filter: done.filter };
      appendAudit(write, { environmentId, atMs, actor, action, detail });
      return done;
    });
    changed(['book']);
    return view;
  };
  return {
    'views.list': ({ environmentId }, { list }) => answer(savedViews(database, environmentId, list)),
    'views.create': (caller, given) => {
      if (isTaken(caller, given)) return taken(given);
      return answer(audited(caller, 'view.created', (write) => ({ ...given, id: insertView(write, caller.environmentId, given) })));
    },
    'views.update': (caller, { id, name, filter }) => {
      const former = savedView(database, caller.environmentId, id);
      if (former === undefined) return missing('view', id);
      const view = { ...former, name: name ?? former.name, filter: filter ?? former.filter };
      if (isTaken(caller, view, id)) return taken(view);
      return answer(
        audited(caller, 'view.updated', (write) => {
          updateView(write, view);
          return view;
        }),
      );
    },
    'views.remove': (caller, { id }) => {
      const view = savedView(database, caller.environmentId, id);
      if (view === undefined) return missing('view', id);
      audited(caller, 'view.deleted', (write, atMs) => {
        setViewRemoved(write, id, atMs);
        return view;
      });
      return answer(null);
    },
    'views.restore': (caller, { id }) => {
      const view = savedView(database, caller.environmentId, id, true);
      if (view === undefined) return missing(phrase('book.views.deletedView'), id);
      if (isTaken(caller, view)) return taken(view);
      return answer(
        audited(caller, 'view.restored', (write) => {
          setViewRemoved(write, id, null);
          return view;
        }),
      );
    },
  };
}
