import { Group, Text, UnstyledButton } from '@mantine/core';
import { IconChevronDown, IconChevronRight } from '@tabler/icons-react';
import { useRef, useState } from 'react';
import type { Learned } from '../../../src-shared/contract/index.ts';
import { useCommand, useQuery } from '../../api/use-query.ts';
import { notifyFailure } from '../../components/notify.tsx';
import { useUndo } from '../../components/use-undo.ts';
import { WriteButton } from '../../components/writing.tsx';
import { counted } from '../../format/counts.ts';
import { RecordLines } from '../matches/group-detail.tsx';
import { useFocusGoesOn } from '../matches/use-focus-goes-on.ts';
import styles from './evidence.module.css';

type Alias = Learned['aliases'][number];

/** Pairs of lines shown of each. */
const PAIRS_SHOWN = 10;

const keyOf = ({ a, b }: Alias): string => JSON.stringify([a, b]);

/** Names that people tied, each with the lines it comes from and the way to say that they are two. */
export function Aliases({ id, aliases }: { readonly id: number; readonly aliases: readonly Alias[] }) {
  const list = useRef<HTMLUListElement>(null);
  const leave = useFocusGoesOn(list, aliases.map(keyOf));
  return (
    <section aria-label="Names that you tied">
      <Text fw={580} size="sm">
        Names that you tied
      </Text>
      {aliases.length === 0 && (
        <Text size="xs" c="dimmed">
          None yet. Two names count as the same once you have tied them, by hand or by confirming, on three different days.
        </Text>
      )}
      <ul className={styles.list} ref={list}>
        {aliases.map((alias) => (
          <Entry key={keyOf(alias)} id={id} alias={alias} onLeave={() => leave(keyOf(alias))} />
        ))}
      </ul>
    </section>
  );
}

function Entry({ id, alias, onLeave }: { readonly id: number; readonly alias: Alias; readonly onLeave: () => void }) {
  const { a, b, matches } = alias;
  const [isOpen, setOpen] = useState(false);
  const { remember } = useUndo();
  const remove = useCommand('evidence.remove_alias', (failure) => notifyFailure('The names still count as the same', failure));
  async function part(): Promise<void> {
    if (remove.isRunning) return;
    onLeave();
    const answer = await remove.run({ id, a, b });
    if (answer.ok) remember({ kind: 'restore_alias', targetId: id, input: { a, b }, label: `“${a}” and “${b}” are not the same` });
  }
  const Chevron = isOpen ? IconChevronDown : IconChevronRight;
  return (
    <li className={styles.alias} data-testid="alias">
      <Group gap="2px 12px" justify="space-between" wrap="nowrap">
        <UnstyledButton className={styles.aliasNames} onClick={() => setOpen(!isOpen)} aria-expanded={isOpen} data-testid="alias-from">
          <Chevron size={14} className={styles.chevron} aria-hidden />
          <Text size="sm" component="span">
            {a} = {b}{' '}
            <Text size="xs" c="dimmed" component="span">
              from {counted(matches.length, 'match', 'matches')}
            </Text>
          </Text>
        </UnstyledButton>
        <WriteButton
          variant="default"
          size="compact-xs"
          style={{ flexShrink: 0 }}
          loading={remove.isRunning}
          onClick={() => void part()}
          aria-label={`${a} and ${b} are not the same`}
          data-testid="not-the-same"
        >
          Not the same
        </WriteButton>
      </Group>
      {isOpen && <Pairs alias={alias} />}
    </li>
  );
}

function Pairs({ alias: { matches } }: { readonly alias: Alias }) {
  const shown = matches.slice(0, PAIRS_SHOWN);
  return (
    <div data-testid="alias-pairs">
      {shown.map(({ a_record_id: a, b_record_id: b }) => (
        <div key={`${a} ${b}`} className={styles.reviewLines}>
          <Line id={a} />
          <Line id={b} />
        </div>
      ))}
      {matches.length > shown.length && (
        <Text size="xs" c="dimmed">
          The first {shown.length} of {counted(matches.length, 'match', 'matches')} are listed.
        </Text>
      )}
    </div>
  );
}

function Line({ id }: { readonly id: number }) {
  const { value, failure } = useQuery('records.get', { id });
  if (value !== undefined) {
    return (
      <div>
        <RecordLines records={[value]} adjustmentId={null} />
      </div>
    );
  }
  return (
    <Text size="xs" c="dimmed">
      {failure === undefined ? '…' : 'A line that is no longer in the book.'}
    </Text>
  );
}
