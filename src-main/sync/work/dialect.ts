import type { OperationId } from '../../../src-shared/contract/index.ts';
import { phrase } from '../../../src-shared/words/say.ts';
import type { Answer } from './answers.ts';
import type { Act, LowVolume, Fields, RecordContent, Resource } from './resources.ts';
import type { RemoteKind } from './sync-result.ts';

/** Calls an operation of the contract; `key` is sent as the Idempotency-Key. */
export type Call = (operation: OperationId, input: Fields, key?: string) => Promise<Answer<unknown>>;

/** How a kind of side differs from the contract: the fields that it carries and the actions that it lacks. */
export interface Dialect {
  readonly kind: RemoteKind;
  /** Actions that the side lacks, each with the reason shown to people. */
  readonly gaps: Readonly<Partial<Record<`${Resource}.${Act}`, string>>>;
  /** The fields of each resource that are compared. */
  readonly fields: Readonly<Record<LowVolume, readonly string[]>>;
  readonly recordFields: readonly (keyof RecordContent)[];
  /** Whether a POST with an Idempotency-Key takes effect once however often it is sent. */
  readonly takesKeys: boolean;
  /** Whether a new record has a direction and an unsigned amount; otherwise a debit is negative. */
  readonly takesDirection: boolean;
  /** Records of one page. */
  readonly pageLimit: number;
  /** Whether streams and their records can be found only through reconciliations and import batches. */
  readonly listsByBatches: boolean;
  /** Whether the items of a bulk request are taken in order, with growing ids. */
  readonly numbersInOrder: boolean;
  readonly marksUnderReconciliation: boolean;
  /** Returns the type with which a stream is created there. */
  readonly streamType: (type: unknown) => unknown;
}

const RULE_FIELDS = ['filters', 'priority', 'group_by', 'cardinality', 'rollup', 'description'] as const;
const RECORD_FIELDS = ['date', 'amount', 'direction', 'currency', 'description', 'external_id', 'metadata'] as const;

/** The dialect of another Tieout and of the book itself. */
export const TIEOUT: Dialect = {
  kind: 'tieout',
  gaps: {
    'balances.remove': phrase('sync.dialect.aBalanceCannotBeDeleted'),
    'overdue.remove': phrase('sync.dialect.overdueMarkCannotBeTakenBack'),
  },
  fields: {
    accounts: ['name', 'currency'],
    streams: ['name', 'description', 'account', 'reference_field', 'read_by', 'batch_lines'],
    properties: ['name', 'optional'],
    reconciliations: ['name', 'run_type', 'sign_convention', 'side_a', 'side_b'],
    rules: [...RULE_FIELDS, 'outcome', 'commit_certainty', 'method', 'budget', 'max_difference', 'paused'],
    stories: ['name', 'links'],
    imports: ['currency', 'opening_balance', 'closing_balance', 'periods', 'balances'],
    balances: ['amount_cents'],
  },
  recordFields: [...RECORD_FIELDS, 'value_date', 'decimal_places'],
  takesKeys: true,
  takesDirection: true,
  pageLimit: 100,
  listsByBatches: false,
  numbersInOrder: true,
  marksUnderReconciliation: false,
  streamType: (type) => type,
};

const NO_IMPORTS = phrase('sync.dialect.keepImportedFilesWithThe');
const WITHOUT_IMPORTS: Dialect['gaps'] = {
  'imports.list': NO_IMPORTS,
  'imports.create': NO_IMPORTS,
  'imports.update': NO_IMPORTS,
  'imports.remove': NO_IMPORTS,
};

/** A Tieout from before imports were synced. */
export const OLDER_TIEOUT: Dialect = { ...TIEOUT, gaps: { ...TIEOUT.gaps, ...WITHOUT_IMPORTS } };

/** The live service. */
export const LIVE: Dialect = {
  ...TIEOUT,
  kind: 'live',
  gaps: { ...OLDER_TIEOUT.gaps, 'overdue.list': phrase('sync.dialect.overdueMarksCannotBeRead') },
  fields: {
    ...TIEOUT.fields,
    streams: ['name'],
    reconciliations: ['name', 'side_a', 'side_b'],
    rules: RULE_FIELDS,
  },
  recordFields: RECORD_FIELDS,
  takesKeys: false,
  pageLimit: 200,
  numbersInOrder: false,
  marksUnderReconciliation: true,
  streamType: (type) => (type === 'bank_feed' ? type : 'api'),
};

/** A remote that has only what the specification names. */
export const SPECIFICATION: Dialect = {
  ...TIEOUT,
  kind: 'specification',
  gaps: {
    ...OLDER_TIEOUT.gaps,
    'streams.create': phrase('sync.dialect.createAnAccount'),
    'properties.list': phrase('sync.dialect.listOrMakePropertyDefinitions'),
    'properties.create': phrase('sync.dialect.listOrMakePropertyDefinitions'),
    'reconciliations.create': phrase('sync.dialect.makeAReconciliation'),
    'reconciliations.update': phrase('sync.dialect.changeAReconciliation'),
    'reconciliations.remove': phrase('sync.dialect.deleteAReconciliation'),
    'rules.create': phrase('sync.dialect.makeARule'),
    'rules.remove': phrase('sync.dialect.deleteARule'),
    'stories.update': phrase('sync.dialect.changeAStory'),
    'stories.remove': phrase('sync.dialect.deleteAStory'),
    'accounts.list': phrase('sync.dialect.listBankAccounts'),
    'accounts.update': phrase('sync.dialect.changeABankAccount'),
    'accounts.remove': phrase('sync.dialect.deleteABankAccount'),
    'balances.list': phrase('sync.dialect.listBalances'),
    'records.update': phrase('sync.dialect.changeALine'),
    'records.remove': phrase('sync.dialect.deleteALine'),
    'matches.remove': phrase('sync.dialect.takeAMatchApart'),
    'overdue.list': phrase('sync.dialect.overdueMarksCannotBeRead'),
  },
  fields: { ...TIEOUT.fields, streams: ['name'], reconciliations: ['name', 'side_a', 'side_b'], rules: RULE_FIELDS },
  recordFields: RECORD_FIELDS.filter((field) => field !== 'direction'),
  takesKeys: false,
  takesDirection: false,
  listsByBatches: true,
  numbersInOrder: false,
  streamType: (type) => type,
};
