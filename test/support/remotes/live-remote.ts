import { bulkRoutes, cursorPage, judgeItem, recordRoutes } from './live-records.ts';
import { Remote, type RemoteOptions } from './remote.ts';
import { created, Fields, offsetPage, ok, Refusal, rowOf, type Answer, type Call, type Routes } from './routes.ts';
import type { BatchRow, ReconciliationRow, RuleRow, StreamRow } from './rows.ts';
import { batchShape, matchShape, operationShape, reconciliationShape, recordFields, ruleShape, storyShape, streamShape } from './shapes.ts';
import { stepBulks, changeRule, makeMatch, putBalance, stepOperations, storyLinks, wipe } from './writing.ts';

/** The status of a refused body or query. */
const WRONG = 422;
const PAGE = { fallback: 100, most: 100, status: WRONG };
const GONE: Answer = { status: 204 };

const bodyOf = ({ body }: Call): Fields => new Fields(body, { strict: null, status: WRONG });

/** A remote that behaves as the live service does today. */
export class LiveRemote extends Remote {
  constructor(options: RemoteOptions = {}) {
    super(options, {
      keyRefusal: { status: 401, body: { error: 'Unauthorized' } },
      // The service uses both shapes, without an apparent rule.
      refused: ({ status, message }) => ({ status, body: status === 404 || status >= 500 ? { error: message } : { message } }),
    });
  }

  protected override step(): void {
    stepBulks(this.state, judgeItem);
    stepOperations(this.state);
  }

  protected override routes(): Routes {
    const { state, bulkSteps } = this;
    return {
      ...this.#streamRoutes(),
      ...this.#batchRoutes(),
      ...recordRoutes(state),
      ...bulkRoutes(state, bulkSteps),
      ...this.#reconciliationRoutes(),
      ...this.#ruleRoutes(),
      ...this.#matchRoutes(),
      ...this.#storyRoutes(),
      ...this.#accountRoutes(),
      ...this.#balanceRoutes(),
      ...this.#definitionRoutes(),
    };
  }

  #stream(key: string | undefined): StreamRow {
    const stream = this.state.streamByKey(key ?? '');
    if (stream === undefined) throw new Refusal(404, 'Not found');
    return stream;
  }

  #wipe(call: Call, kind: 'delete' | 'reset'): Answer {
    const isAsync = kind === 'reset' || call.query.get('async') === 'true';
    const operation = wipe(this.state, this.#stream(call.params['key']), { kind, isAsync, status: 409 });
    if (operation === null) return GONE;
    const location = `/v1/data_streams/${operation.data_stream_key}/operations/${operation.id}`;
    return { status: 202, body: operationShape(operation), headers: { location } };
  }

  #streamRoutes(): Routes {
    const { state } = this;
    return {
      'GET /data_streams': () => ok([...state.streams.values()].map(streamShape)),
      'POST /data_streams': (call) => {
        const fields = bodyOf(call);
        const key = fields.needed('key', fields.text('key'));
        const name = fields.needed('name', fields.text('name'));
        const type = fields.oneOf('type', ['api', 'bank_feed']) ?? 'api';
        if (state.streamByKey(key) !== undefined) throw new Refusal(WRONG, 'key is taken');
        const account = fields.id('bank_account_id');
        if (type === 'bank_feed' && account === undefined) throw new Refusal(WRONG, 'bank_account_id is missing');
        if (account !== undefined && !state.accounts.has(account)) throw new Refusal(WRONG, 'bank_account_id does not exist');
        const row = { id: state.nextId(), key, name, description: fields.text('description') ?? null, type };
        return created(streamShape(state.put(state.streams, row)));
      },
      'GET /data_streams/{key}': ({ params }) => ok(streamShape(this.#stream(params['key']))),
      'PATCH /data_streams/{key}': (call) => {
        const stream = this.#stream(call.params['key']);
        stream.name = bodyOf(call).text('name') ?? stream.name;
        return ok(streamShape(stream));
      },
      'DELETE /data_streams/{key}': (call) => this.#wipe(call, 'delete'),
      'POST /data_streams/{key}/reset': (call) => this.#wipe(call, 'reset'),
      'GET /data_streams/{key}/operations/{id}': ({ params }) => ok(operationShape(rowOf(state.operations, params['id']))),
    };
  }

  #batch(row: BatchRow) {
    return batchShape(this.state, row, this.recordsUrl(row.id, `/records?import_batch_id=${row.id}`));
  }

  #batchRoutes(): Routes {
    const { state } = this;
    return {
      'GET /data_streams/{key}/import_batches': ({ params, query }) => {
        const { id } = this.#stream(params['key']);
        const rows = [...state.batches.values()].filter(({ streamId }) => streamId === id).toReversed();
        const page = offsetPage(query, rows, PAGE);
        return ok({ ...page, data: page.data.map((row) => this.#batch(row)) });
      },
      'GET /import_batches/{id}': ({ params }) => ok(this.#batch(rowOf(state.batches, params['id']))),
      'GET /import_batches/{id}/records': ({ params, query }) => {
        const rows = state.recordsOfBatch(rowOf(state.batches, params['id']).id);
        return ok(cursorPage(query, rows, (row) => recordFields(state, row)));
      },
    };
  }

  #sides(fields: Fields): Pick<ReconciliationRow, 'sideA' | 'sideB'> {
    const side = (name: string): readonly number[] => {
      const ids = fields.needed(name, fields.ids(name));
      if (ids.some((id) => !this.state.streams.has(id))) throw new Refusal(WRONG, `${name} names a stream that does not exist`);
      return ids;
    };
    return { sideA: side('side_a_stream_ids'), sideB: side('side_b_stream_ids') };
  }

  #reconciliationRoutes(): Routes {
    const { state } = this;
    return {
      'GET /reconciliations': ({ query }) =>
        ok(cursorPage(query, [...state.reconciliations.values()].toReversed(), (row) => reconciliationShape(state, row))),
      'POST /reconciliations': (call) => {
        const fields = bodyOf(call);
        const name = fields.needed('name', fields.text('name'));
        const run_type = fields.oneOf('run_type', ['continuous', 'batch']) ?? 'continuous';
        const row = { id: state.nextId(), name, run_type, ...this.#sides(fields), created_at: state.now() };
        return created(reconciliationShape(state, state.put(state.reconciliations, row)));
      },
      'GET /reconciliations/{id}': ({ params }) => ok(reconciliationShape(state, rowOf(state.reconciliations, params['id']))),
      'PATCH /reconciliations/{id}': (call) => {
        const row = rowOf(state.reconciliations, call.params['id']);
        const fields = bodyOf(call);
        row.name = fields.text('name') ?? row.name;
        row.run_type = fields.oneOf('run_type', ['continuous', 'batch']) ?? row.run_type;
        return ok(reconciliationShape(state, row));
      },
      'DELETE /reconciliations/{id}': ({ params }) => {
        state.removeReconciliation(rowOf(state.reconciliations, params['id']).id);
        return GONE;
      },
      'POST /reconciliations/{rid}/records/{id}/mark_overdue': (call) => {
        const reconciliation = rowOf(state.reconciliations, call.params['rid']);
        const row = rowOf(state.records, call.params['id']);
        const at = call.body === null ? undefined : bodyOf(call).text('overdue_at');
        this.markOverdue(row, reconciliation.id, at, WRONG);
        return ok(recordFields(state, row));
      },
    };
  }

  #ruleRoutes(): Routes {
    const { state } = this;
    return {
      'GET /reconciliation_rules': ({ query }) => {
        const id = query.get('reconciliation_id');
        if (id === null) throw new Refusal(400, 'reconciliation_id is required');
        return ok([...state.rules.values()].filter((row) => String(row.reconciliation_id) === id).map(ruleShape));
      },
      'POST /reconciliation_rules': (call) => {
        const fields = bodyOf(call);
        const reconciliation_id = fields.needed('reconciliation_id', fields.id('reconciliation_id'));
        const filters = fields.needed('filters', fields.object('filters'));
        if (!state.reconciliations.has(reconciliation_id)) throw new Refusal(WRONG, 'reconciliation_id does not exist');
        const last = Math.max(
          0,
          ...[...state.rules.values()].filter((row) => row.reconciliation_id === reconciliation_id).map((row) => row.priority),
        );
        const rule: RuleRow = {
          id: state.nextId(),
          reconciliation_id,
          filters,
          priority: last + 10,
          group_by: [],
          cardinality: 'one_to_one',
          rollup: null,
          description: null,
          source: 'user',
          status: 'active',
          confidence: null,
          sample_match_rate: null,
          created_at: state.now(),
        };
        return created(ruleShape(state.put(state.rules, changeRule(rule, fields, WRONG))));
      },
      'GET /reconciliation_rules/{id}': ({ params }) => ok(ruleShape(rowOf(state.rules, params['id']))),
      'PATCH /reconciliation_rules/{id}': (call) => ok(ruleShape(changeRule(rowOf(state.rules, call.params['id']), bodyOf(call), WRONG))),
      'DELETE /reconciliation_rules/{id}': ({ params }) => {
        state.rules.delete(rowOf(state.rules, params['id']).id);
        return GONE;
      },
    };
  }

  #matchRoutes(): Routes {
    const { state } = this;
    return {
      'GET /reconciliation_matches': ({ query }) => {
        const rows = this.matchesAsked(query).toReversed();
        const page = offsetPage(query, rows, { ...PAGE, fallback: 25 });
        return ok({ ...page, data: page.data.map(matchShape), total_count: rows.length });
      },
      'GET /reconciliation_matches/{id}': ({ params }) => ok(matchShape(rowOf(state.matches, params['id']))),
      'POST /reconciliation_matches': (call) => {
        const fields = bodyOf(call);
        const asked = {
          reconciliationId: fields.needed('reconciliation_id', fields.id('reconciliation_id')),
          recordIds: fields.needed('record_ids', fields.ids('record_ids')),
          adjustmentReason: fields.boolean('create_adjustment') === true ? (fields.text('adjustment_reason') ?? 'Adjustment') : null,
          as: 'matched',
        };
        return created(matchShape(makeMatch(state, asked, WRONG)));
      },
      'DELETE /reconciliation_matches/{id}': ({ params }) => {
        state.removeMatch(rowOf(state.matches, params['id']));
        return GONE;
      },
    };
  }

  #links(fields: Fields) {
    const links = fields.list('links')?.map((link) => new Fields(link, { strict: null, status: WRONG }));
    return links === undefined ? undefined : storyLinks(this.state, links, WRONG);
  }

  #storyRoutes(): Routes {
    const { state } = this;
    return {
      'GET /reconciliation_stories': () => ok({ data: [...state.stories.values()].toReversed().map((row) => storyShape(state, row)) }),
      'GET /reconciliation_stories/{id}': ({ params }) => ok(storyShape(state, rowOf(state.stories, params['id']))),
      'POST /reconciliation_stories': (call) => {
        const fields = bodyOf(call);
        const name = fields.needed('name', fields.text('name'));
        const links = this.#links(fields) ?? [];
        return created(storyShape(state, state.put(state.stories, { id: state.nextId(), name, links, created_at: state.now() })));
      },
      'PATCH /reconciliation_stories/{id}': (call) => {
        const row = rowOf(state.stories, call.params['id']);
        const fields = bodyOf(call);
        row.links = this.#links(fields) ?? row.links;
        row.name = fields.text('name') ?? row.name;
        return ok(storyShape(state, row));
      },
      'DELETE /reconciliation_stories/{id}': ({ params }) => {
        state.stories.delete(rowOf(state.stories, params['id']).id);
        return GONE;
      },
    };
  }

  #accountRoutes(): Routes {
    const { state } = this;
    return {
      'GET /bank_accounts': () => ok([...state.accounts.values()].toSorted((a, b) => a.name.localeCompare(b.name))),
      'GET /bank_accounts/{id}': ({ params }) => ok(rowOf(state.accounts, params['id'])),
      'POST /bank_accounts': (call) => {
        const fields = bodyOf(call);
        return created(this.makeAccount(fields.needed('name', fields.text('name')), fields.text('currency'), WRONG));
      },
      'PATCH /bank_accounts/{id}': (call) => {
        const row = rowOf(state.accounts, call.params['id']);
        const fields = bodyOf(call);
        row.name = fields.text('name') ?? row.name;
        row.currency = fields.text('currency') ?? row.currency;
        row.updated_at = state.now();
        return ok(row);
      },
      'DELETE /bank_accounts/{id}': ({ params }) => {
        const { id } = rowOf(state.accounts, params['id']);
        for (const balance of state.balances.values()) if (balance.bank_account_id === id) state.balances.delete(balance.id);
        state.accounts.delete(id);
        return GONE;
      },
    };
  }

  #balanceRoutes(): Routes {
    const { state } = this;
    return {
      'GET /bank_account_balances': ({ query }) => {
        const id = query.get('bank_account_id');
        if (id === null) throw new Refusal(400, 'bank_account_id is required');
        const rows = [...state.balances.values()].filter((row) => String(row.bank_account_id) === id);
        return ok(rows.toSorted((a, b) => b.date.localeCompare(a.date)));
      },
      'POST /bank_account_balances': (call) => created(putBalance(state, bodyOf(call), WRONG)),
      'POST /bank_account_balances/bulk': (call) => {
        const fields = bodyOf(call);
        const bank_account_id = fields.needed('bank_account_id', fields.id('bank_account_id'));
        const balances = fields.needed('balances', fields.list('balances')).map((balance) => {
          const one = new Fields({ ...(balance as object), bank_account_id }, { strict: null, status: WRONG });
          return putBalance(state, one, WRONG);
        });
        return created({ count: balances.length, balances });
      },
    };
  }

  #definitionRoutes(): Routes {
    const { state } = this;
    const path = '/data_stream_property_definitions';
    return {
      [`GET ${path}`]: ({ query }) => {
        const key = query.get('data_stream_key');
        return ok([...state.definitions.values()].filter((row) => key === null || row.data_stream_key === key));
      },
      [`POST ${path}`]: (call) => {
        const fields = bodyOf(call);
        const stream = state.streamByKey(fields.needed('data_stream_key', fields.text('data_stream_key')));
        if (stream === undefined) throw new Refusal(WRONG, 'data_stream_key does not exist');
        const key = fields.needed('key', fields.text('key'));
        const type = fields.needed('type', fields.oneOf('type', ['number', 'date', 'datetime', 'string', 'boolean']));
        const shown = { name: fields.text('name') ?? key, type, optional: fields.boolean('optional') ?? true };
        return created(state.put(state.definitions, { id: state.nextId(), key, ...shown, data_stream_key: stream.key }));
      },
      [`GET ${path}/{id}`]: ({ params }) => ok(rowOf(state.definitions, params['id'])),
      [`PATCH ${path}/{id}`]: (call) => {
        const row = rowOf(state.definitions, call.params['id']);
        const fields = bodyOf(call);
        return ok(Object.assign(row, { name: fields.text('name') ?? row.name, optional: fields.boolean('optional') ?? row.optional }));
      },
      [`DELETE ${path}/{id}`]: ({ params }) => {
        state.definitions.delete(rowOf(state.definitions, params['id']).id);
        return GONE;
      },
    };
  }
}
