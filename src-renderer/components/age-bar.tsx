import { VisuallyHidden } from '@mantine/core';
import { countText } from '../format/counts.ts';
import styles from './figures.module.css';
import { say } from '../../src-shared/words/say.ts';

/** Labels of the age groups of open lines, the youngest first. */
const AGE_LABELS = [say('close.ageBar.shortUpToAWeek'), '8–30', '31–60', say('close.ageBar.overSixty')] as const;
const AGE_WORDS = [
  say('close.ageBar.upToAWeek'),
  say('close.ageBar.upToThirtyDays'),
  say('close.ageBar.upToSixtyDays'),
  say('close.ageBar.overSixtyDays'),
] as const;
const HEIGHT = 16;

/** Open lines by age as small columns. The largest group has the full height. */
export function AgeBar({ counts }: { readonly counts: readonly number[] }) {
  const most = Math.max(1, ...counts);
  const text = AGE_WORDS.map((words, place) => `${words}: ${countText(counts[place] ?? 0)}`).join(', ');
  return (
    <span className={styles.ages} title={text.replaceAll(', ', '\n')}>
      <VisuallyHidden>{text}</VisuallyHidden>
      {AGE_WORDS.map((words, place) => {
        const count = counts[place] ?? 0;
        const height = count === 0 ? 1 : Math.max(3, Math.round((count / most) * HEIGHT));
        return <span key={words} className={styles.age} data-age={count === 0 ? 'none' : place + 1} style={{ height }} />;
      })}
    </span>
  );
}

export function AgeLegend() {
  return (
    <span className={styles.legend} aria-hidden>
      {AGE_LABELS.map((label, place) => (
        <span key={label}>
          <span className={styles.swatch} data-age={place + 1} />
          {label}
        </span>
      ))}
    </span>
  );
}
