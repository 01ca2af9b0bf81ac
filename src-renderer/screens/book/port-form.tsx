import { Group, NumberInput, Radio, Stack } from '@mantine/core';
import { useState } from 'react';
import type { LocalPort } from '../../../src-shared/contract/index.ts';
import { WriteButton } from '../../components/writing.tsx';
import styles from './settings.module.css';
import { useLocalPort } from './use-local-port.ts';

const USUAL_PORT = 4690;
const HIGHEST_PORT = 65_535;

/** A port that stays, or a free one at each start. */
export function PortForm({ port }: { readonly port: LocalPort }) {
  const { change, done, failure, isRunning, forget } = useLocalPort();
  const [isFree, setFree] = useState(port.port === null);
  const [number, setNumber] = useState<number | string>(port.port ?? USUAL_PORT);
  const wanted = isFree ? null : Number(number);
  const isPort = wanted === null || (Number.isInteger(wanted) && wanted >= 1 && wanted <= HIGHEST_PORT);
  const isChanged = wanted !== port.port;
  async function save(): Promise<void> {
    const before = port.port;
    if (await change({ port: wanted })) done('The port was changed', { port: before });
  }
  return (
    <form
      className={styles.row}
      onSubmit={(event) => {
        event.preventDefault();
        if (isPort && isChanged) void save();
      }}
    >
      <Stack gap="sm">
        <Radio.Group
          label="Port"
          labelProps={{ fw: 600 }}
          description="A spreadsheet finds the book again only at a port that stays."
          value={isFree ? 'free' : 'fixed'}
          onChange={(value) => {
            forget();
            setFree(value === 'free');
          }}
        >
          <Group gap="lg" mt="xs">
            <Radio value="fixed" label="Always this one" data-testid="port-fixed" />
            <Radio value="free" label="A free one at each start" data-testid="port-free" />
          </Group>
        </Radio.Group>
        <Group gap="sm" align="flex-start">
          {!isFree && (
            <NumberInput
              aria-label="Port number"
              w="8rem"
              value={number}
              onChange={(value) => {
                forget();
                setNumber(value);
              }}
              min={1}
              max={HIGHEST_PORT}
              allowDecimal={false}
              allowNegative={false}
              thousandSeparator=""
              clampBehavior="none"
              error={!isPort}
              data-testid="port-number"
            />
          )}
          {(isChanged || isRunning) && (
            <WriteButton type="submit" disabled={!isPort} loading={isRunning} data-testid="port-save">
              Change the port
            </WriteButton>
          )}
        </Group>
        <PortProblem isPort={isPort} message={failure?.message ?? null} />
      </Stack>
    </form>
  );
}

function PortProblem({ isPort, message }: { readonly isPort: boolean; readonly message: string | null }) {
  const text = isPort ? message : `A port is a whole number from 1 to ${HIGHEST_PORT}.`;
  if (text === null) return null;
  return (
    <div role="alert" className={styles.problem} data-testid="port-problem">
      {text}
    </div>
  );
}
