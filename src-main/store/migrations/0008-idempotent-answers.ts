/** What was answered under an Idempotency-Key, for good. `input_sha256` tells whether a repetition asks for the same. */
export const idempotentAnswers = {
  version: 8,
  name: 'idempotent answers',
  sql: `
CREATE TABLE idempotent_answers(
  environment_id INTEGER NOT NULL REFERENCES environments(id),
  operation TEXT NOT NULL,
  idempotency_key TEXT NOT NULL,
  input_sha256 TEXT NOT NULL,
  answer TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  PRIMARY KEY (environment_id, operation, idempotency_key)
) STRICT, WITHOUT ROWID;
`,
} as const;
