import type { ConflictDetail } from '../store/conflict-detail.ts';

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

const OVERLAP: Readonly<Record<string, ChoiceWords>> = {
  same: { label: 'One line, each side keeps its words', verb: 'The same line' },
  both: { label: 'Two lines, on both sides', verb: 'Keep both' },
};

const OF_KIND: Readonly<Record<string, Readonly<Record<string, ChoiceWords>>>> = { closed_period: CLOSED, match: MATCH, overlap: OVERLAP };

export function choiceWords(kind: string, { here, there }: ConflictDetail, choice: string): ChoiceWords {
  const words = OF_KIND[kind] ?? (there.gone ? GONE_THERE : here.gone ? GONE_HERE : BOTH);
  return words[choice] ?? { label: choice, verb: choice };
}
