import { Badge, Tooltip } from '@mantine/core';
import { IconAlertTriangle, IconCircleDashed, IconShieldCheck } from '@tabler/icons-react';
import { type Proof, PROOF_LABELS, PROOF_MEANINGS } from '../format/proofs.ts';

const LOOKS = {
  proved: { color: 'pine', Icon: IconShieldCheck },
  unproved: { color: 'gray', Icon: IconCircleDashed },
  broken: { color: 'red', Icon: IconAlertTriangle },
} as const;

/** Says whether a file's balances confirm its lines. Pointer and keyboard reach the explanation. */
export function ProofBadge({ proof, explanation }: { readonly proof: Proof; readonly explanation?: string }) {
  const { color, Icon } = LOOKS[proof];
  return (
    <Tooltip label={explanation ?? PROOF_MEANINGS[proof]}>
      <Badge color={color} leftSection={<Icon size={13} aria-hidden />} tabIndex={0} style={{ cursor: 'help' }}>
        {PROOF_LABELS[proof]}
      </Badge>
    </Tooltip>
  );
}
