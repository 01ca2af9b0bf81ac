import { Code, Stack, Text, Title } from '@mantine/core';
import { type ReactNode, useEffect, useState } from 'react';
import { windowOrigin } from '../api/address.ts';
import { useConnection } from '../api/connection-context.ts';
import { Brand } from './brand.tsx';

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
        <Title order={1}>Open the whole address</Title>
        <Text>
          Tieout shows the book only to a window that was opened with the address it printed, up to the last character. The part behind{' '}
          <Code>#</Code> tells that it is you.
        </Text>
        <Text>
          Open that address once more: it looks like <Code>{windowOrigin()}/#token=…</Code>. Where Tieout has been started again since, it
          has printed a new one. If you no longer have it, stop Tieout and start it again.
        </Text>
        <Text c="dimmed" size="sm">
          Nothing is lost: the book is as you left it.
        </Text>
      </Stack>
    </main>
  );
}
