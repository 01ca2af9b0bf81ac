import { Tooltip } from '@mantine/core';
import { IconPlayerPause, IconPlayerPlay } from '@tabler/icons-react';
import type { Rule } from '../../../src-shared/contract/index.ts';
import { useCommand } from '../../api/use-query.ts';
import { notifyFailure } from '../../components/notify.tsx';
import { useUndo } from '../../components/use-undo.ts';
import { WriteIcon } from '../../components/writing.tsx';

/** Switches a rule off without losing it, and on again. */
export function PauseButton({ rule, place }: { readonly rule: Rule; readonly place: number }) {
  const { remember } = useUndo();
  const update = useCommand('rules.update', (failure) => notifyFailure('The rule was not changed', failure));
  async function toggle(): Promise<void> {
    const answer = await update.run({ id: rule.id, paused: !rule.paused });
    const label = `${rule.paused ? 'Resumed' : 'Paused'} rule ${place}`;
    if (answer.ok) remember({ kind: 'change_rule', targetId: rule.id, input: { paused: rule.paused }, label });
  }
  const Icon = rule.paused ? IconPlayerPlay : IconPlayerPause;
  return (
    <Tooltip label={rule.paused ? (rule.paused_reason ?? 'Use this rule again') : 'Keep this rule, but do not use it'}>
      <WriteIcon
        variant="subtle"
        color="gray"
        loading={update.isRunning}
        onClick={() => void toggle()}
        aria-label={`${rule.paused ? 'Resume' : 'Pause'} rule ${place}`}
        data-testid="pause-rule"
      >
        <Icon size={16} aria-hidden />
      </WriteIcon>
    </Tooltip>
  );
}
