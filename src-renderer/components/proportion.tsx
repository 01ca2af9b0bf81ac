import { Progress, Tooltip, VisuallyHidden } from '@mantine/core';
import { counted, percentOf } from '../format/counts.ts';

interface ProportionProps {
  readonly label: string;
  readonly matched: number;
  readonly proposed: number;
  readonly open: number;
  readonly size?: number;
}

/** Matched, proposed and open lines as one bar; the figures are its text, so colour is not the only sign. */
export function Proportion({ label, matched, proposed, open, size = 8 }: ProportionProps) {
  const total = matched + proposed + open;
  const text = `${label}: ${counted(matched, 'line')} matched, ${proposed} proposed, ${open} open`;
  const share = (part: number): number => (total === 0 ? 0 : (part / total) * 100);
  return (
    <Tooltip label={`${text} (${percentOf(matched, total)} % matched)`}>
      <div>
        <VisuallyHidden>{text}</VisuallyHidden>
        <Progress.Root size={size} aria-hidden style={{ background: 'var(--tieout-line)' }}>
          <Progress.Section value={share(matched)} color="var(--tieout-matched)" aria-hidden />
          <Progress.Section value={share(proposed)} color="var(--tieout-proposed)" aria-hidden />
        </Progress.Root>
      </div>
    </Tooltip>
  );
}
