import { INSERT_MEMBERS } from '../../../src-main/matches/store/match-members.ts';

/** SQL that stores the members of matches that a test or a bench wrote as rows. */
export const MEMBERS_OF_NEW_MATCHES = `${INSERT_MEMBERS} WHERE m.id NOT IN (SELECT match_id FROM match_records);`;
