import { IconCheck, IconChevronDown } from '@tabler/icons-react';
import { useState } from 'react';
import { useQuery } from '../../api/use-query.ts';
import { closeSteps, type Step } from '../../format/close-steps.ts';
import { useClosing } from './close-context.ts';
import styles from './steps.module.css';
import { useCoverage } from './use-coverage.ts';
import { useWay } from './use-way.ts';

/** The steps of a close, each of which checks itself. */
export function StepList() {
  const { period, statement, reconciliation } = useClosing();
  const { value: summary } = useQuery('reconciliations.summary', { id: reconciliation.id });
  const coverage = useCoverage();
  const [isOpen, setOpen] = useState(false);
  const steps = closeSteps({ statement, period, coverage, matches: summary?.matches ?? 0 });
  const done = steps.filter((step) => step.isDone).length;
  const current = steps.findIndex((step) => !step.isDone);
  return (
    <aside className={styles.steps} aria-label="Steps" data-open={isOpen || undefined} data-testid="close-steps">
      <h2>Close {period.name}</h2>
      <button type="button" className={styles.fold} aria-expanded={isOpen} onClick={() => setOpen(!isOpen)} data-testid="fold-steps">
        <span>
          {done} of {steps.length} steps done{current < 0 ? '' : `. Next: ${steps[current]?.title.toLowerCase() ?? ''}`}
        </span>
        <IconChevronDown size={15} aria-hidden />
      </button>
      <ol>
        {steps.map((step, place) => (
          <StepRow key={step.name} step={step} number={place + 1} isCurrent={place === current} />
        ))}
      </ol>
    </aside>
  );
}

function StepRow({ step, number, isCurrent }: { readonly step: Step; readonly number: number; readonly isCurrent: boolean }) {
  const follow = useWay();
  const { way } = step;
  return (
    <li
      className={styles.step}
      data-done={step.isDone || undefined}
      data-current={isCurrent || undefined}
      aria-current={isCurrent ? 'step' : undefined}
      data-testid={`step-${step.name}`}
    >
      <span className={styles.mark} aria-hidden>
        {step.isDone ? <IconCheck size={12} stroke={2.75} /> : number}
      </span>
      <div>
        <b>
          {step.title}
          <span className={styles.told}>{step.isDone ? ', done' : ', not done'}</span>
        </b>
        {step.facts.map((fact) => (
          <p key={fact}>{fact}</p>
        ))}
        {step.missing.map((sentence) => (
          <p key={sentence} className={styles.missing}>
            {sentence}
          </p>
        ))}
        {way !== null && (
          <button type="button" className={styles.way} onClick={() => follow(way.way)} data-testid={`way-${step.name}`}>
            {way.label}
          </button>
        )}
      </div>
    </li>
  );
}
