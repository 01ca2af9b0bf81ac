import { Badge, Tooltip } from '@mantine/core';
import {
  IconAdjustments,
  IconAlertTriangle,
  IconArrowsExchange,
  IconCheck,
  IconCircleDashed,
  IconHandStop,
  IconScale,
  IconShieldCheck,
  IconUser,
} from '@tabler/icons-react';
import type { Certainty } from '../../src-shared/contract/index.ts';
import { say } from '../../src-shared/words/say.ts';
import { type Proof, PROOF_LABELS, PROOF_MEANINGS } from '../format/proofs.ts';
import { CERTAINTY_LABELS, CERTAINTY_MEANINGS } from '../format/words.ts';

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

/** Marks an adjustment, the record that makes a match balance and that no file contains. `label` says what it is for, if known. */
export function AdjustmentBadge({ label }: { readonly label: string | null }) {
  return (
    <Tooltip label={say('matches.adjustmentBadge.madeToBalanceThisMatch')}>
      <Badge
        color="orange"
        leftSection={<IconAdjustments size={12} aria-hidden />}
        tabIndex={0}
        style={{ cursor: 'help' }}
        data-testid="adjustment-badge"
      >
        {label === null ? say('matches.adjustmentBadge.adjustment') : say('matches.adjustmentBadge.adjustmentNamed', { label })}
      </Badge>
    </Tooltip>
  );
}

const PROOF_LOOKS = {
  proved: { color: 'pine', Icon: IconShieldCheck },
  unproved: { color: 'gray', Icon: IconCircleDashed },
  broken: { color: 'red', Icon: IconAlertTriangle },
} as const;

/** Says whether a file's balances confirm its lines. Pointer and keyboard reach the explanation. */
export function ProofBadge({ proof, explanation }: { readonly proof: Proof; readonly explanation?: string }) {
  const { color, Icon } = PROOF_LOOKS[proof];
  return (
    <Tooltip label={explanation ?? PROOF_MEANINGS[proof]}>
      <Badge color={color} leftSection={<Icon size={13} aria-hidden />} tabIndex={0} style={{ cursor: 'help' }}>
        {PROOF_LABELS[proof]}
      </Badge>
    </Tooltip>
  );
}
