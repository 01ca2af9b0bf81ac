/**
 * Matches that are written fast. Frozen: a change of the schema is a new migration.
 * A match says itself which records it holds: a pair by `a_record_id` and `b_record_id`, any other by `members`, a JSON array of
 * record ids, those of side B below 0, side A first. `match_records` is what these say, seen from the records: one B-tree, written by triggers alone, in the
 * statement that changes the match. `slot` is 0 for a match that counts and else the id of the match, so that the primary key keeps a
 * record from being counted twice in a reconciliation. It has no foreign keys, which would look at a record for every member that is
 * written: the trigger on `records` keeps a record that a match holds from being deleted.
 * `explanation` is '' where the sentences and the group key are made from the match's records and `run_facts`: the rules and all else
 * that the run of the match looked at, as JSON. `run_separations` are the sets of records that people took apart while a run was working.
 */
export const leanMatches = {
  version: 21,
  name: 'lean matches',
  sql: `
ALTER TABLE matches ADD COLUMN side_a_count INTEGER NOT NULL DEFAULT 0;
ALTER TABLE matches ADD COLUMN a_record_id INTEGER;
ALTER TABLE matches ADD COLUMN b_record_id INTEGER;
ALTER TABLE matches ADD COLUMN members TEXT;

DROP INDEX matches_reconciliation;
DROP INDEX matches_newest;
UPDATE matches SET side_a_count = held.side_a,
  a_record_id = iif(held.records = 2 AND held.side_a = 1, held.a, NULL),
  b_record_id = iif(held.records = 2 AND held.side_a = 1, held.b, NULL),
  members = iif(held.records = 2 AND held.side_a = 1, NULL, held.members)
FROM (
  SELECT match_id, count(*) AS records, sum(side = 'a') AS side_a, max(iif(side = 'a', record_id, NULL)) AS a,
    max(iif(side = 'b', record_id, NULL)) AS b, json_group_array(iif(side = 'a', record_id, -record_id) ORDER BY side, record_id) AS members
  FROM match_records GROUP BY match_id
) AS held WHERE held.match_id = matches.id;
UPDATE matches SET members = '[]' WHERE a_record_id IS NULL AND members IS NULL;
CREATE INDEX matches_status ON matches(reconciliation_id, status, id, run_id, record_count, side_a_count);

ALTER TABLE match_records RENAME TO former_match_records;
CREATE TABLE match_records(
  record_id INTEGER NOT NULL,
  reconciliation_id INTEGER NOT NULL,
  slot INTEGER NOT NULL,
  match_id INTEGER NOT NULL,
  side TEXT NOT NULL CHECK (side IN ('a', 'b')),
  PRIMARY KEY(record_id, reconciliation_id, slot),
  CHECK (slot IN (0, match_id))
) STRICT, WITHOUT ROWID;
INSERT INTO match_records(record_id, reconciliation_id, slot, match_id, side)
  SELECT record_id, reconciliation_id, iif(counted = 1, 0, match_id), match_id, side FROM former_match_records
  ORDER BY record_id, reconciliation_id, iif(counted = 1, 0, match_id);
DROP TABLE former_match_records;

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

CREATE TRIGGER matches_pair AFTER INSERT ON matches WHEN NEW.members IS NULL BEGIN
  INSERT INTO match_records(record_id, reconciliation_id, slot, match_id, side) VALUES
    (NEW.a_record_id, NEW.reconciliation_id, iif(NEW.status = 'matched', 0, NEW.id), NEW.id, 'a'),
    (NEW.b_record_id, NEW.reconciliation_id, iif(NEW.status = 'matched', 0, NEW.id), NEW.id, 'b');
END;
CREATE TRIGGER matches_members AFTER INSERT ON matches WHEN NEW.members IS NOT NULL BEGIN
  INSERT INTO match_records(record_id, reconciliation_id, slot, match_id, side)
  SELECT abs(value), NEW.reconciliation_id, iif(NEW.status = 'matched', 0, NEW.id), NEW.id, iif(value > 0, 'a', 'b') FROM json_each(NEW.members);
END;
CREATE TRIGGER matches_counted AFTER UPDATE OF status ON matches WHEN NEW.status <> OLD.status BEGIN
  UPDATE match_records SET slot = iif(NEW.status = 'matched', 0, NEW.id) WHERE match_id = NEW.id AND reconciliation_id = NEW.reconciliation_id
    AND record_id IN (SELECT abs(value) FROM json_each(coalesce(NEW.members, json_array(NEW.a_record_id, NEW.b_record_id))));
END;
DROP TRIGGER matches_adjustment_goes;
CREATE TRIGGER matches_gone AFTER DELETE ON matches BEGIN
  DELETE FROM match_records WHERE match_id = OLD.id AND reconciliation_id = OLD.reconciliation_id
    AND record_id IN (SELECT abs(value) FROM json_each(coalesce(OLD.members, json_array(OLD.a_record_id, OLD.b_record_id))));
  DELETE FROM records WHERE id = OLD.adjustment_id;
END;
CREATE TRIGGER records_held BEFORE DELETE ON records WHEN EXISTS (SELECT 1 FROM match_records WHERE record_id = OLD.id)
BEGIN SELECT RAISE(ABORT, 'a match holds this record'); END;

CREATE TABLE run_facts(
  run_id INTEGER PRIMARY KEY REFERENCES runs(id) ON DELETE CASCADE,
  body TEXT NOT NULL
) STRICT;

CREATE TABLE run_separations(
  run_id INTEGER NOT NULL REFERENCES runs(id) ON DELETE CASCADE,
  record_key TEXT NOT NULL,
  PRIMARY KEY(run_id, record_key)
) STRICT, WITHOUT ROWID;
`,
} as const;
