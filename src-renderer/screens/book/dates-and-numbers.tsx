import { Select, SimpleGrid, Skeleton, Text } from '@mantine/core';
import type { Call, Output } from '../../../src-shared/contract/index.ts';
import { say } from '../../../src-shared/words/say.ts';
import { useCommand, useConnection, useOperation } from '../../api/use-operation.ts';
import { FailurePanel } from '../../components/failure-panel.tsx';
import { notifyDone, notifyFailure } from '../../components/notify.tsx';
import { useNow } from '../../components/use-now.ts';
import { instantText } from '../../format/dates.ts';
import { plainAmount } from '../../format/money.ts';
import { Section } from './section.tsx';
import styles from './settings.module.css';

type Choice = Required<Call<'notation.update'>>;
type Field = keyof Choice;

const COMPUTER = { value: 'computer', label: say('book.notation.asThisComputer') };
const FIELDS = [
  {
    field: 'days',
    label: say('book.notation.days'),
    data: [
      COMPUTER,
      { value: 'dmy', label: say('book.notation.dmy') },
      { value: 'mdy', label: say('book.notation.mdy') },
      { value: 'ymd', label: say('book.notation.ymd') },
    ],
  },
  {
    field: 'decimal',
    label: say('book.notation.decimal'),
    data: [COMPUTER, { value: '.', label: say('book.notation.point') }, { value: ',', label: say('book.notation.comma') }],
  },
  {
    field: 'week',
    label: say('book.notation.week'),
    data: [
      COMPUTER,
      { value: 'monday', label: say('book.notation.monday') },
      { value: 'sunday', label: say('book.notation.sunday') },
      { value: 'saturday', label: say('book.notation.saturday') },
    ],
  },
  {
    field: 'paper',
    label: say('book.notation.paper'),
    data: [COMPUTER, { value: 'A4', label: say('book.notation.a4') }, { value: 'Letter', label: say('book.notation.letter') }],
  },
] as const satisfies readonly { readonly field: Field; readonly label: string; readonly data: readonly object[] }[];

/** How the whole book writes days and numbers. The window is drawn anew after each change. */
export function DatesAndNumbers() {
  const { data, error, refetch } = useOperation('notation.get', {});
  return (
    <Section id="dates-and-numbers" title={say('book.notation.title')} about={say('book.notation.about')}>
      {data === undefined && error === null && <Skeleton height={120} />}
      {data === undefined && error !== null && (
        <FailurePanel title={say('book.settings.theSettingsCouldNotBeRead')} failure={error} onRetry={refetch} />
      )}
      {data !== undefined && <Choices now={data} />}
    </Section>
  );
}

function Choices({ now }: { readonly now: Output<'notation.get'> }) {
  const nowMs = useNow();
  const { queries } = useConnection();
  const update = useCommand('notation.update', (failure) => notifyFailure(say('book.notation.notChanged'), failure));
  const change = async (field: Field, value: string | null): Promise<void> => {
    if (value === null || value === now[field]) return;
    const before = { [field]: now[field] };
    const changed = await update.run({ [field]: value });
    if (!changed.ok) return;
    // The window is drawn anew while the fields are off, and not a moment later, below a menu that was opened meanwhile.
    queries.setQueryData(['notation.get', {}], changed.value);
    notifyDone(say('book.notation.changed'), () => void update.run(before));
  };
  return (
    <div className={styles.row}>
      <SimpleGrid cols={{ base: 1, xs: 2, lg: 4 }} spacing="md">
        {FIELDS.map(({ field, label, data }) => (
          <Select
            key={field}
            label={label}
            data={[...data]}
            value={now[field]}
            allowDeselect={false}
            disabled={update.isRunning}
            onChange={(value) => void change(field, value)}
            data-testid={`notation-${field}`}
          />
        ))}
      </SimpleGrid>
      <Text size="sm" mt="md" className="tabular" data-testid="notation-sample">
        {say('book.notation.sample', { moment: instantText(new Date(nowMs).toISOString()), amount: plainAmount(-123_456_750, 2) })}
      </Text>
    </div>
  );
}
