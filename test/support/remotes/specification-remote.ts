import { Remote, type RemoteOptions } from './remote.ts';
import { Fields, offsetPage, ok, Refusal, rowOf, type Answer, type Call, type Routes } from './routes.ts';
import type { BatchRow, RecordRow, StreamRow } from './rows.ts';
import {
  batchShape,
  matchShape,
  operationShape,
  reconciliationShape,
  recordFields,
  recordStanding,
  ruleShape,
  storyShape,
  streamShape,
  withoutNulls,
} from './shapes.ts';
import {
  acceptBulk,
  bulkSummary,
  stepBulks,
  type Judged,
  changeRule,
  makeMatch,
  putBalance,
  stepOperations,
  storyLinks,
  wipe,
} from './writing.ts';

/** The status of every refusal of a wrong request. */
const WRONG = 400;
const PAGE = { fallback: 10, most: 100, status: WRONG };
const ITEM = ['date', 'data_stream_key', 'amount', 'currency', 'description', 'external_id', 'metadata'];

interface SpecificationOptions extends RemoteOptions {
  /** Form of the records of a match or a batch: a page like the other lists, or an array of all. */
  readonly recordLists?: 'page' | 'array';
}

const bodyOf = (call: Call, ...members: string[]): Fields => new Fields(call.body, { strict: members, status: WRONG });

/** Refuses query parameters other than these. */
function onlyQuery({ query }: Call, ...names: string[]): void {
  const other = [...query.keys()].find((name) => !names.includes(name));
  if (other !== undefined) throw new Refusal(WRONG, `the parameter ${other} is unknown`);
}

function judgeItem(item: unknown): Judged {
  try {
    const fields = new Fields(item, { strict: ITEM, status: WRONG });
    const amount = fields.needed('amount', fields.integer('amount'));
    const currency = fields.text('currency') ?? 'USD';
    if (!/^[A-Za-z]{3}$/.test(currency)) return { error: 'currency is none' };
    return {
      streamKey: fields.needed('data_stream_key', fields.text('data_stream_key')),
      date: fields.needed('date', fields.date('date')),
      amount: Math.abs(amount),
      direction: amount < 0 ? 'debit' : 'credit',
      currency: currency.toUpperCase(),
      description: fields.text('description') ?? null,
      external_id: fields.text('external_id') ?? null,
      metadata: fields.object('metadata') ?? null,
    };
  } catch (error) {
    if (error instanceof Refusal) return { error: error.message };
    throw error;
  }
}

/** A remote with exactly the endpoints of the specification. */
export class SpecificationRemote extends Remote {
  readonly #recordLists: 'page' | 'array';

  constructor(options: SpecificationOptions = {}) {
    super(options, {
      keyRefusal: { status: 403, body: { error: 'The key is missing or unknown.' } },
      refused: ({ status, message }) => ({ status, body: { error: message } }),
    });
    this.#recordLists = options.recordLists ?? 'page';
  }

  protected override step(): void {
    stepBulks(this.state, judgeItem);
    stepOperations(this.state);
  }

  protected override routes(): Routes {
    return { ...this.#streamRoutes(), ...this.#recordRoutes(), ...this.#matchingRoutes(), ...this.#otherRoutes() };
  }

  #stream(call: Call): StreamRow {
    const stream = this.state.streamByKey(call.params['key'] ?? '');
    if (stream === undefined) throw new Refusal(404, 'There is no such stream.');
    return stream;
  }

  #record(row: RecordRow) {
    return { ...withoutNulls(recordFields(this.state, row)), ...recordStanding(this.state, row) };
  }

  #records(call: Call, rows: readonly RecordRow[], ...more: string[]): Answer {
    if (this.#recordLists === 'array') {
      onlyQuery(call, ...more);
      return ok(rows.map((row) => this.#record(row)));
    }
    onlyQuery(call, ...more, 'limit', 'offset');
    const page = offsetPage(call.query, rows, PAGE);
    return ok({ ...page, data: page.data.map((row) => this.#record(row)) });
  }

  #batch(row: BatchRow) {
    return batchShape(this.state, row, this.recordsUrl(row.id, `/import_batches/${row.id}/records?part=all`));
  }

  #streamRoutes(): Routes {
    const { state } = this;
    return {
      'PATCH /data_streams/{key}': (call) => {
        const stream = this.#stream(call);
        stream.name = bodyOf(call, 'name').text('name') ?? stream.name;
        return ok(withoutNulls(streamShape(stream)));
      },
      'DELETE /data_streams/{key}': (call) => {
        onlyQuery(call, 'async');
        const isAsync = call.query.get('async') === 'true';
        const operation = wipe(state, this.#stream(call), { kind: 'delete', isAsync, status: WRONG });
        if (operation === null) return ok({ deleted: true });
        const location = `/v1/data_streams/${operation.data_stream_key}/operations/${operation.id}`;
        return { status: 202, body: operationShape(operation), headers: { location } };
      },
      'GET /data_streams/{key}/operations/{id}': ({ params }) => ok(operationShape(rowOf(state.operations, params['id']))),
      'GET /data_streams/{key}/import_batches': (call) => {
        onlyQuery(call, 'limit', 'offset');
        const { id } = this.#stream(call);
        const page = offsetPage(
          call.query,
          [...state.batches.values()].filter(({ streamId }) => streamId === id),
          PAGE,
        );
        return ok({ ...page, data: page.data.map((row) => this.#batch(row)) });
      },
      'GET /import_batches/{id}': ({ params }) => ok(this.#batch(rowOf(state.batches, params['id']))),
    };
  }

  #recordRoutes(): Routes {
    const { state } = this;
    return {
      'GET /import_batches/{id}/records': (call) => {
        // A link that carries a query is invalid without it.
        if (this.links.as === 'query' && call.query.get('part') !== 'all') throw new Refusal(WRONG, 'part is missing');
        return this.#records(call, state.recordsOfBatch(rowOf(state.batches, call.params['id']).id), 'part');
      },
      'GET /records': (call) => {
        const match = call.query.get('reconciliation_match_id');
        if (match === null) throw new Refusal(WRONG, 'reconciliation_match_id is missing');
        return this.#records(call, state.recordsOf(rowOf(state.matches, match).recordIds), 'reconciliation_match_id');
      },
      'POST /records/bulk': (call) => this.#bulk(call),
      'GET /bulk_requests/{id}': ({ params }) => ok(bulkSummary(rowOf(state.bulks, params['id']))),
      'POST /records/{id}/mark_overdue': (call) => {
        const fields = bodyOf(call, 'reconciliation_id', 'overdue_at');
        const row = rowOf(state.records, call.params['id']);
        const reconciliationId = fields.needed('reconciliation_id', fields.integer('reconciliation_id'));
        this.markOverdue(row, reconciliationId, fields.text('overdue_at'), WRONG);
        return ok(this.#record(row));
      },
    };
  }

  #bulk(call: Call): Answer {
    const idempotencyKey = call.headers['idempotency-key'] ?? null;
    const known = [...this.state.bulks.values()].find((bulk) => bulk.idempotencyKey === idempotencyKey);
    if (idempotencyKey !== null && known !== undefined) return ok(bulkSummary(known));
    const fields = bodyOf(call, 'records', 'on_conflict');
    const items = fields.needed('records', fields.list('records'));
    if (items.length < 1 || items.length > 1000) throw new Refusal(WRONG, 'records has none, or more than 1000');
    for (const item of items) {
      const unknown = Object.keys(item ?? {}).find((name) => !ITEM.includes(name));
      if (unknown !== undefined) throw new Refusal(WRONG, `${unknown} is unknown in an item`);
    }
    const on_conflict = fields.oneOf('on_conflict', ['skip', 'error'] as const) ?? 'skip';
    const asked = { idempotencyKey: idempotencyKey === null ? null : String(idempotencyKey), items, on_conflict };
    return ok(bulkSummary(acceptBulk(this.state, asked, this.bulkSteps)));
  }

  #matchingRoutes(): Routes {
    const { state } = this;
    return {
      'GET /reconciliations': (call) => {
        onlyQuery(call, 'limit', 'offset');
        const page = offsetPage(call.query, [...state.reconciliations.values()], PAGE);
        return ok({ ...page, data: page.data.map((row) => reconciliationShape(state, row)) });
      },
      'GET /reconciliation_rules': (call) => {
        onlyQuery(call, 'reconciliation_id');
        const { id } = rowOf(state.reconciliations, call.query.get('reconciliation_id') ?? undefined);
        return ok([...state.rules.values()].filter(({ reconciliation_id }) => reconciliation_id === id).map(ruleShape));
      },
      'PATCH /reconciliation_rules/{id}': (call) => {
        const fields = bodyOf(call, 'filters', 'priority', 'group_by', 'cardinality', 'rollup', 'description');
        return ok(ruleShape(changeRule(rowOf(state.rules, call.params['id']), fields, WRONG)));
      },
      'POST /reconciliation_matches': (call) => {
        const fields = bodyOf(call, 'reconciliation_id', 'record_ids', 'create_adjustment', 'adjustment_reason');
        const asked = {
          reconciliationId: fields.needed('reconciliation_id', fields.id('reconciliation_id')),
          recordIds: fields.needed('record_ids', fields.ids('record_ids')),
          adjustmentReason: fields.boolean('create_adjustment') === true ? (fields.text('adjustment_reason') ?? 'Adjustment') : null,
          as: 'confirmed',
        };
        return ok(matchShape(makeMatch(state, asked, WRONG)));
      },
      'GET /reconciliation_matches': (call) => {
        onlyQuery(call, 'reconciliation_id', 'status', 'limit', 'offset');
        const rows = this.matchesAsked(call.query);
        const page = offsetPage(call.query, rows, { ...PAGE, fallback: 25 });
        return ok({ ...page, data: page.data.map(matchShape), total_count: rows.length });
      },
      'GET /reconciliation_matches/{id}': ({ params }) => ok(matchShape(rowOf(state.matches, params['id']))),
    };
  }

  #otherRoutes(): Routes {
    const { state } = this;
    return {
      'POST /reconciliation_stories': (call) => {
        const fields = bodyOf(call, 'name', 'links');
        const name = fields.needed('name', fields.text('name'));
        const strict = ['reconciliation_id', 'position', 'role', 'shared_data_stream_id'];
        const links = (fields.list('links') ?? []).map((link) => new Fields(link, { strict, status: WRONG }));
        const rows = storyLinks(state, links, WRONG);
        return ok(storyShape(state, state.put(state.stories, { id: state.nextId(), name, links: rows, created_at: state.now() })));
      },
      'GET /reconciliation_stories/{id}': ({ params }) => ok(storyShape(state, rowOf(state.stories, params['id']))),
      'GET /reconciliation_stories': () => ok({ data: [...state.stories.values()].toReversed().map((row) => storyShape(state, row)) }),
      'POST /bank_accounts': (call) => {
        const fields = bodyOf(call, 'name', 'currency');
        return ok(this.makeAccount(fields.needed('name', fields.text('name')), fields.text('currency'), WRONG));
      },
      'POST /bank_account_balances': (call) =>
        ok(putBalance(state, bodyOf(call, 'bank_account_id', 'date', 'balance_type', 'amount_cents'), WRONG)),
    };
  }
}
