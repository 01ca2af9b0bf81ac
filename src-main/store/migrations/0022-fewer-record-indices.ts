/**
 * Two indices fewer for every record to enter: most of the time of a large import went into them. Frozen: a change of the schema is a new migration.
 * An external id is found by the dedupe key, which says it for nearly every record that has one; those whose key says something else
 * (edited since, or another record has the key) have a small index of their own. The records of a batch are walked by day.
 */
export const fewerRecordIndices = {
  version: 22,
  name: 'fewer indices of records',
  sql: `
DROP INDEX records_external;
CREATE INDEX records_other_external ON records(stream_id, external_id)
  WHERE external_id IS NOT NULL AND dedupe_key IS NOT 'x:' || external_id;
DROP INDEX records_batch;
`,
} as const;
