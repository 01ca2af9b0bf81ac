import { useId } from 'react';
import type { Reconciliation } from '../../../src-shared/contract/index.ts';
import { Choice, Choices } from '../../components/primitives.tsx';
import { sideNames } from '../../format/side-names.ts';
import { say } from '../../../src-shared/words/say.ts';

export type BankChoice = 'a' | 'b' | 'seen';

interface BankChoicesProps {
  readonly reconciliation: Reconciliation;
  readonly value: BankChoice;
  readonly onChange: (value: BankChoice) => void;
}

/** Returns the side with a bank account when only one side has one. */
export function suggestedBank({ side_a_streams: a, side_b_streams: b }: Reconciliation): BankChoice {
  const [isA, isB] = [a, b].map((streams) => streams.some((stream) => stream.bank_account_id !== null));
  return isA === isB ? 'seen' : isA === true ? 'a' : 'b';
}

/** Chooses which side is the bank, or lets the service decide. */
export function BankChoices({ reconciliation, value, onChange }: BankChoicesProps) {
  const name = useId();
  const names = sideNames(reconciliation);
  const choices: readonly { readonly value: BankChoice; readonly label: string; readonly hint: string }[] = [
    { value: 'a', label: names.a, hint: say('close.bankChoices.sideA') },
    { value: 'b', label: names.b, hint: say('close.bankChoices.sideB') },
    { value: 'seen', label: say('close.bankChoices.asTheFilesShow'), hint: say('close.bankChoices.withoutABankTheStatement') },
  ];
  return (
    <Choices legend={say('close.bankChoices.whichSideIsTheBank')} data-testid="bank-side">
      {choices.map(({ value: each, label, hint }) => (
        <Choice key={each} label={label} hint={hint} name={name} checked={each === value} onChange={() => onChange(each)} value={each} />
      ))}
    </Choices>
  );
}
