/**
 * What a run writes takes two B-trees less and no trigger. Frozen: a change of the schema is a new migration.
 * A run keeps the first and the last id of its matches; between them are others too, of people and of other reconciliations' runs.
 * So `matches` needs no index by run, and no foreign key to a run either, which would look for a run's matches when the run goes.
 * `match_records` is still what the matches say; but a new match's rows are written by who writes the match (`insertMatch` and
 * `matches/run-match-rows.ts`), and triggers follow it from then on. Those of a run are written in the order of records, after its matches.
 * A pair that goes names the rows that go with it by their whole keys, those of a match that a wipe made let go of records too; what a larger match
 * holds is looked for.
 */
export const matchesOfRuns = {
  version: 26,
  name: 'matches of runs',
  sql: `
ALTER TABLE runs ADD COLUMN first_match_id INTEGER;
ALTER TABLE runs ADD COLUMN last_match_id INTEGER;
UPDATE runs SET first_match_id = (SELECT min(id) FROM matches WHERE run_id = runs.id),
  last_match_id = (SELECT max(id) FROM matches WHERE run_id = runs.id) WHERE writing = 1;

CREATE TABLE former_wiped_matches AS SELECT match_id, wipe_id, adjustment_id FROM wiped_matches;
CREATE TABLE former_sequence AS SELECT seq FROM sqlite_sequence WHERE name = 'matches';
CREATE TABLE new_matches(
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  reconciliation_id INTEGER NOT NULL REFERENCES reconciliations(id),
  run_id INTEGER,
  rule_id INTEGER,
  status TEXT NOT NULL CHECK (status IN ('matched', 'proposed')),
  origin TEXT NOT NULL,
  certainty TEXT,
  difference INTEGER NOT NULL,
  group_key TEXT,
  explanation TEXT NOT NULL,
  record_count INTEGER NOT NULL,
  confirmed_at INTEGER,
  created_at INTEGER NOT NULL,
  adjustment_id INTEGER,
  side_a_count INTEGER NOT NULL DEFAULT 0,
  a_record_id INTEGER,
  b_record_id INTEGER,
  members TEXT,
  margin TEXT
) STRICT;
INSERT INTO new_matches(id, reconciliation_id, run_id, rule_id, status, origin, certainty, difference, group_key, explanation, record_count,
    confirmed_at, created_at, adjustment_id, side_a_count, a_record_id, b_record_id, members, margin)
  SELECT id, reconciliation_id, run_id, rule_id, status, origin, certainty, difference, group_key, explanation, record_count,
    confirmed_at, created_at, adjustment_id, side_a_count, a_record_id, b_record_id, members, margin FROM matches ORDER BY id;
DROP TABLE matches;
ALTER TABLE new_matches RENAME TO matches;
DELETE FROM sqlite_sequence WHERE name = 'matches';
INSERT INTO sqlite_sequence(name, seq) SELECT 'matches', seq FROM former_sequence;
DELETE FROM wiped_matches;
INSERT INTO wiped_matches(match_id, wipe_id, adjustment_id) SELECT match_id, wipe_id, adjustment_id FROM former_wiped_matches;
DROP TABLE former_sequence;
DROP TABLE former_wiped_matches;

CREATE INDEX matches_adjusted ON matches(reconciliation_id, id) WHERE adjustment_id IS NOT NULL;
CREATE INDEX matches_status ON matches(reconciliation_id, status, id, run_id, record_count, side_a_count);

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
`,
} as const;
