import type { ConflictDetail } from '../../store/sync/conflict-detail.ts';

export interface ChoiceWords {
  readonly label: string;
  readonly verb: string;
}

const BOTH: Readonly<Record<string, ChoiceWords>> = {
  keep_local: { label: 'As it is here', verb: 'Keep this' },
  take_remote: { label: 'As it is there', verb: 'Take theirs' },
};
const MATCH: Readonly<Record<string, ChoiceWords>> = {
  keep_local: { label: 'The match here', verb: 'Keep this' },
  take_remote: { label: 'The match there', verb: 'Take theirs' },
  neither: { label: 'Neither', verb: 'Undo both' },
};
const GONE_THERE: Readonly<Record<string, ChoiceWords>> = {
  keep_local: { label: 'It stays', verb: 'Send it again' },
  take_remote: { label: 'It goes', verb: 'Delete here too' },
};
const GONE_HERE: Readonly<Record<string, ChoiceWords>> = {
  keep_local: { label: 'It goes', verb: 'Delete there too' },
  take_remote: { label: 'It comes back', verb: 'Bring it back' },
};
const CLOSED: Readonly<Record<string, ChoiceWords>> = {
  keep_local: { label: 'As it is here', verb: 'Keep this side' },
  take_remote: { label: 'As it is there, once the period is open again', verb: 'Take theirs' },
};

export function choiceWords(kind: string, { here, there }: ConflictDetail, choice: string): ChoiceWords {
  const words = kind === 'closed_period' ? CLOSED : kind === 'match' ? MATCH : there.gone ? GONE_THERE : here.gone ? GONE_HERE : BOTH;
  return words[choice] ?? { label: choice, verb: choice };
}
