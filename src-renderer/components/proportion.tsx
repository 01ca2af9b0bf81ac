import { Progress, Tooltip, VisuallyHidden } from '@mantine/core';
import { counted, countText, percentOf } from '../format/counts.ts';

interface ProportionProps {
  readonly label: string;
  readonly matched: number;
  readonly proposed: number;
  /** Lines that are not matched yet, including proposed ones. */
  readonly open: number;
  readonly size?: number;
}

/** Matched and open lines as one bar; proposed lines are a part of the open ones. The text holds the figures, so colour is not the only sign. */
export function Proportion({ label, matched, proposed, open, size = 8 }: ProportionProps) {
  const total = matched + open;
  const text = `${label}: ${counted(matched, 'line')} matched, ${countText(open)} open, ${countText(proposed)} of these proposed`;
  const share = (part: number): number => (total === 0 ? 0 : (part / total) * 100);
  return (
    <Tooltip label={`${text} (${percentOf(matched, total)} % matched)`}>
      <div>
        <VisuallyHidden>{text}</VisuallyHidden>
        <Progress.Root size={size} aria-hidden style={{ background: 'var(--line)' }}>
          <Progress.Section value={share(matched)} color="var(--matched)" aria-hidden />
          <Progress.Section value={share(proposed)} color="var(--proposed)" aria-hidden />
        </Progress.Root>
      </div>
    </Tooltip>
  );
}
