import { Code, Stack, Text, Title } from '@mantine/core';
import { type ReactNode, useEffect, useState } from 'react';
import { windowOrigin } from '../api/address.ts';
import { useConnection } from '../api/connection-context.ts';
import { Brand } from './rail.tsx';
import { say } from '../../src-shared/words/say.ts';
import { Said } from '../components/said.tsx';

/** Renders the window when it is signed in, else an explanation of how to open it. */
export function WindowGate({ children }: { readonly children: ReactNode }) {
  const { events, isSignedIn } = useConnection();
  const [isOpen, setOpen] = useState(isSignedIn);
  useEffect(() => events.subscribe((event) => event.kind === 'signed_out' && setOpen(false)), [events]);
  return isOpen ? children : <HowToOpen />;
}

function HowToOpen() {
  return (
    <main>
      <Stack gap="md" maw={560} mx="auto" px="lg" pt="18vh" data-testid="how-to-open">
        <Brand size={40} />
        <Title order={1}>{say('shell.windowGate.openTheWholeAddress')}</Title>
        <Text>
          <Said words="shell.windowGate.tieoutShowsTheBook" with={{ part: <Code>#</Code> }} />
        </Text>
        <Text>
          <Said
            words="shell.windowGate.openThatAddressOnce"
            with={{ part: <Code>{say('shell.windowGate.token', { windowOrigin: windowOrigin() })}</Code> }}
          />
        </Text>
        <Text c="dimmed" size="sm">
          {say('shell.windowGate.nothingIsLostTheBook')}
        </Text>
      </Stack>
    </main>
  );
}
