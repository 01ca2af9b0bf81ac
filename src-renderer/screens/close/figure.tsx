import { FigureButton } from '../../components/primitives.tsx';
import { plainAmount } from '../../format/money.ts';
import { type FigureKey, useClosing } from './close-context.ts';
import { say } from '../../../src-shared/words/say.ts';

interface FigureProps {
  readonly minor: number;
  /** Describes the figure for screen readers. */
  readonly label: string;
  readonly figure: FigureKey;
  readonly testId?: string;
}

const same = (left: FigureKey | null, right: FigureKey): boolean => JSON.stringify(left) === JSON.stringify(right);

/** A figure with details. A click or Enter opens them. */
export function Figure({ minor, label, figure, testId }: FigureProps) {
  const { statement, look, looked } = useClosing();
  const text = plainAmount(minor, statement.decimal_places);
  return (
    <FigureButton
      title={say('close.figure.showTheLinesBehind')}
      label={`${label}: ${text}`}
      isOn={same(looked, figure)}
      onClick={() => look(figure)}
      testId={testId ?? 'figure'}
    >
      {text}
    </FigureButton>
  );
}
