/**
 * A match itself says which records it holds: a pair by `a_record_id` and `b_record_id`, any other by `members`, a JSON array of record ids, side A
 * first and those of side B negated.
 *
 * `explanation` is '' if the sentences and the group key follow from the match's records and `run_facts`. `cohort` explains a many-to-one match of a
 * run without all of its records; see `cohortText` of the engine. `margin` is how much more the best pairing without the match costs, if a run
 * computed it; see `marginText` of the engine. `likelihood` is log odds in 1/64 bit and `evidence` five signed bytes (see `evidenceOfParts`); both
 * are null for a match by conditions. `difference_code` and `difference_note` are a person's reason for a difference. `adjustment_id` names the
 * member that makes a manual match balance; it is deleted with the match.
 *
 * There is no index by run, because a run keeps the id range of its matches, and no foreign key to a run, which would search its matches when it is
 * deleted.
 */
export const MATCHES = `
CREATE TABLE matches(
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  reconciliation_id INTEGER NOT NULL REFERENCES reconciliations(id),
  run_id INTEGER,
  rule_id INTEGER,
  status TEXT NOT NULL CHECK (status IN ('matched', 'proposed')),
  origin TEXT NOT NULL,
  certainty TEXT,
  margin TEXT,
  likelihood INTEGER,
  evidence INTEGER,
  difference INTEGER NOT NULL,
  difference_code TEXT,
  difference_note TEXT,
  group_key TEXT,
  explanation TEXT NOT NULL,
  cohort TEXT,
  record_count INTEGER NOT NULL,
  side_a_count INTEGER NOT NULL DEFAULT 0,
  a_record_id INTEGER,
  b_record_id INTEGER,
  members TEXT,
  adjustment_id INTEGER,
  confirmed_at INTEGER,
  confirmed_by TEXT,
  confirmed_in_bulk INTEGER NOT NULL DEFAULT 0 CHECK (confirmed_in_bulk IN (0, 1)),
  created_at INTEGER NOT NULL
) STRICT;
CREATE INDEX matches_adjusted ON matches(reconciliation_id, id) WHERE adjustment_id IS NOT NULL;
CREATE INDEX matches_status ON matches(reconciliation_id, status, id, run_id, record_count, side_a_count);
CREATE INDEX matches_differing ON matches(reconciliation_id, status, id, run_id) WHERE difference <> 0;
CREATE INDEX matches_likelihood ON matches(reconciliation_id, likelihood, id) WHERE status = 'proposed' AND likelihood IS NOT NULL;
`;

/**
 * The members of matches by record, in one B-tree. The writer of a match inserts its rows (`insertMatch` and `runs/store/run-match-rows.ts`);
 * triggers maintain them from then on. `slot` is 0 for a match that counts and otherwise the id of the match, so that the primary key prevents a
 * record from being counted twice in a reconciliation. There are no foreign keys, which would look up a record for every member; a trigger on
 * `records` prevents the deletion of a record that a match holds.
 *
 * The deletion of a pair names its rows by their whole keys, including those that a wipe detached; the rows of larger matches are searched.
 */
export const MATCH_RECORDS = `
CREATE TABLE match_records(
  record_id INTEGER NOT NULL,
  reconciliation_id INTEGER NOT NULL,
  slot INTEGER NOT NULL,
  match_id INTEGER NOT NULL,
  side TEXT NOT NULL CHECK (side IN ('a', 'b')),
  PRIMARY KEY(record_id, reconciliation_id, slot),
  CHECK (slot IN (0, match_id))
) STRICT, WITHOUT ROWID;

CREATE TRIGGER matches_counted AFTER UPDATE OF status ON matches WHEN NEW.status <> OLD.status BEGIN
  UPDATE match_records SET slot = iif(NEW.status = 'matched', 0, NEW.id) WHERE match_id = NEW.id AND reconciliation_id = NEW.reconciliation_id
    AND record_id IN (SELECT abs(value) FROM json_each(coalesce(NEW.members, json_array(NEW.a_record_id, NEW.b_record_id))));
END;
CREATE TRIGGER matches_gone AFTER DELETE ON matches BEGIN
  DELETE FROM match_records WHERE record_id = OLD.a_record_id AND reconciliation_id = OLD.reconciliation_id
    AND slot = iif(OLD.status = 'matched', 0, OLD.id) AND match_id = OLD.id;
  DELETE FROM match_records WHERE record_id = OLD.b_record_id AND reconciliation_id = OLD.reconciliation_id
    AND slot = iif(OLD.status = 'matched', 0, OLD.id) AND match_id = OLD.id;
  DELETE FROM match_records WHERE OLD.status = 'matched' AND record_id = OLD.a_record_id AND reconciliation_id = OLD.reconciliation_id
    AND slot = OLD.id AND match_id = OLD.id;
  DELETE FROM match_records WHERE OLD.status = 'matched' AND record_id = OLD.b_record_id AND reconciliation_id = OLD.reconciliation_id
    AND slot = OLD.id AND match_id = OLD.id;
END;
CREATE TRIGGER matches_gone_whole AFTER DELETE ON matches WHEN OLD.members IS NOT NULL OR OLD.adjustment_id IS NOT NULL BEGIN
  DELETE FROM match_records WHERE match_id = OLD.id AND reconciliation_id = OLD.reconciliation_id
    AND record_id IN (SELECT abs(value) FROM json_each(coalesce(OLD.members, json_array(OLD.a_record_id, OLD.b_record_id))));
  DELETE FROM records WHERE id = OLD.adjustment_id;
END;
`;

/** Matches that were taken apart, kept whole so that undo restores them under their own ids. */
export const DISSOLVED_MATCHES = `
CREATE TABLE dissolved_matches(
  match_id INTEGER PRIMARY KEY,
  reconciliation_id INTEGER NOT NULL,
  displaced_by INTEGER,
  body TEXT NOT NULL,
  dissolved_at INTEGER NOT NULL
) STRICT;
CREATE INDEX dissolved_matches_displaced ON dissolved_matches(displaced_by) WHERE displaced_by IS NOT NULL;
`;

/**
 * Days on which every record of a stream is reconciled. A row says that every record of the stream and day with an id up to `through` is matched in
 * the reconciliation, visible or not. The rows are written in the background. Everything that could make one wrong deletes it, except for newer
 * records, which readers check for.
 */
export const RECONCILED_DAYS = `
CREATE TABLE reconciled_days(
  stream_id INTEGER NOT NULL REFERENCES streams(id) ON DELETE CASCADE,
  day INTEGER NOT NULL,
  reconciliation_id INTEGER NOT NULL REFERENCES reconciliations(id) ON DELETE CASCADE,
  through INTEGER NOT NULL,
  PRIMARY KEY(stream_id, day, reconciliation_id)
) STRICT, WITHOUT ROWID;

CREATE TRIGGER reconciled_days_lost AFTER DELETE ON match_records WHEN OLD.slot = 0
BEGIN
  DELETE FROM reconciled_days WHERE stream_id = (SELECT stream_id FROM records WHERE id = OLD.record_id)
    AND day = (SELECT day FROM records WHERE id = OLD.record_id) AND reconciliation_id = OLD.reconciliation_id;
END;
CREATE TRIGGER reconciled_days_let_go AFTER UPDATE OF slot ON match_records WHEN OLD.slot = 0
BEGIN
  DELETE FROM reconciled_days WHERE stream_id = (SELECT stream_id FROM records WHERE id = OLD.record_id)
    AND day = (SELECT day FROM records WHERE id = OLD.record_id) AND reconciliation_id = OLD.reconciliation_id;
END;
CREATE TRIGGER reconciled_days_moved AFTER UPDATE OF day, stream_id ON records WHEN NEW.day <> OLD.day OR NEW.stream_id <> OLD.stream_id
BEGIN DELETE FROM reconciled_days WHERE stream_id = NEW.stream_id AND day = NEW.day; END;
`;

/**
 * Records that are hidden at once, with the matches that hold any of them. A wipe of a stream or of one batch marks matches in `wiped_matches`
 * beforehand, in short transactions. The marks have no effect until `flipped_at` is set; from then on the matches are hidden.
 * `import_batches.wiped_by` names the wipe. Records of a wiped stream without a batch, and the adjustments of marked matches, are moved to the batch
 * -wipe. The counts are those of rows cleared so far.
 */
export const WIPES = `
CREATE TABLE wipes(
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  environment_id INTEGER NOT NULL REFERENCES environments(id),
  stream_id INTEGER NOT NULL,
  stream_key TEXT NOT NULL,
  batch_id INTEGER,
  operation_id INTEGER UNIQUE,
  actor TEXT NOT NULL,
  flipped_at INTEGER,
  records INTEGER NOT NULL DEFAULT 0,
  matches INTEGER NOT NULL DEFAULT 0,
  proposals INTEGER NOT NULL DEFAULT 0
) STRICT;
CREATE INDEX wipes_flipped ON wipes(id) WHERE flipped_at IS NOT NULL;

CREATE TABLE wiped_matches(
  match_id INTEGER NOT NULL REFERENCES matches(id) ON DELETE CASCADE,
  wipe_id INTEGER NOT NULL REFERENCES wipes(id),
  adjustment_id INTEGER,
  PRIMARY KEY(match_id, wipe_id)
) STRICT, WITHOUT ROWID;
CREATE INDEX wiped_matches_wipe ON wiped_matches(wipe_id, match_id);
CREATE INDEX wiped_matches_adjusted ON wiped_matches(wipe_id, adjustment_id) WHERE adjustment_id IS NOT NULL;
`;
