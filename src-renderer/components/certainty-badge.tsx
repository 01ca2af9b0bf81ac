import { Badge, Tooltip } from '@mantine/core';
import { IconArrowsExchange, IconCheck, IconHandStop, IconScale, IconUser } from '@tabler/icons-react';
import type { Certainty } from '../../src-shared/contract/index.ts';
import { CERTAINTY_LABELS, CERTAINTY_MEANINGS } from '../format/words.ts';
import { say } from '../../src-shared/words/say.ts';

const LOOKS = {
  unique: { color: 'pine', Icon: IconCheck },
  best: { color: 'blue', Icon: IconScale },
  interchangeable: { color: 'gray', Icon: IconArrowsExchange },
  contested: { color: 'orange', Icon: IconHandStop },
} as const;

/** Shows the certainty of a match. Null means that the match was made by hand. */
export function CertaintyBadge({ certainty }: { readonly certainty: Certainty | null }) {
  if (certainty === null) {
    return (
      <Badge color="gray" leftSection={<IconUser size={12} aria-hidden />}>
        {say('matches.certaintyBadge.byHand')}
      </Badge>
    );
  }
  const { color, Icon } = LOOKS[certainty];
  return (
    <Tooltip label={CERTAINTY_MEANINGS[certainty]}>
      <Badge color={color} leftSection={<Icon size={12} aria-hidden />}>
        {CERTAINTY_LABELS[certainty]}
      </Badge>
    </Tooltip>
  );
}
