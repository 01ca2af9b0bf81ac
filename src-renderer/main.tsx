import '@mantine/core/styles.css';
import '@mantine/dates/styles.css';
import '@mantine/notifications/styles.css';
import '@fontsource-variable/inter/index.css';
import './styles/tokens.css';
import './styles/global.css';
import { Code, MantineProvider, Stack, Text, Title } from '@mantine/core';
import { Notifications } from '@mantine/notifications';
import { Fragment, type ReactNode, StrictMode, useEffect, useState } from 'react';
import { createRoot } from 'react-dom/client';
import { present } from '../src-shared/values/assert.ts';
import { ConnectionContext, useConnection, useOperation } from './api/use-operation.ts';
import { connect } from './api/connection.ts';
import { Shell } from './app/shell.tsx';
import { cssVariables, theme } from './styles/theme.ts';
import { windowOrigin } from './api/address.ts';
import { Brand } from './app/rail.tsx';
import { takeNotation } from '../src-shared/values/notation.ts';
import { say } from '../src-shared/words/say.ts';
import { Said } from './components/said.tsx';
import { useKeptKeys } from './components/use-shortcuts.ts';
import { useNavigation } from './state/navigation.ts';

const connection = connect();
printLight();

createRoot(present(document.querySelector('#root'), 'The root element')).render(
  <StrictMode>
    <MantineProvider theme={theme} defaultColorScheme="auto" cssVariablesResolver={cssVariables}>
      <ConnectionContext value={connection}>
        <Notifications position="bottom-right" limit={3} aria-live="polite" className="messages" />
        <WindowGate>
          <Shell />
        </WindowGate>
      </ConnectionContext>
    </MantineProvider>
  </StrictMode>,
);

/** Prints in the light scheme, whatever the screen has: a printer leaves the dark grounds out, and pale text on white paper cannot be read. */
function printLight(): void {
  const { dataset } = document.documentElement;
  let shown: string | undefined;
  window.addEventListener('beforeprint', () => {
    shown = dataset['mantineColorScheme'];
    dataset['mantineColorScheme'] = 'light';
  });
  window.addEventListener('afterprint', () => {
    if (shown !== undefined) dataset['mantineColorScheme'] = shown;
  });
}

/** Renders the window when it is signed in, else an explanation of how to open it. */
function WindowGate({ children }: { readonly children: ReactNode }) {
  const { events, isSignedIn } = useConnection();
  const [isOpen, setOpen] = useState(isSignedIn);
  // The menu of the application is there before the window has drawn anything, and while it is drawn anew.
  useEffect(
    () =>
      events.subscribe((event) => {
        const { go, open } = useNavigation.getState();
        if (event.kind === 'signed_out') setOpen(false);
        if (event.kind === 'command' && event.command === 'import') go({ screen: 'import', streamKey: null });
        if (event.kind === 'command' && event.command === 'settings') go({ screen: 'settings' });
        if (event.kind === 'command' && (event.command === 'open_book' || event.command === 'new_book')) open(event.command);
      }),
    [events],
  );
  return isOpen ? <Written>{children}</Written> : <HowToOpen />;
}

/** Shows nothing before it is known how the book writes days and numbers, and everything anew when that changes. */
function Written({ children }: { readonly children: ReactNode }) {
  const { data, isLoadingError } = useOperation('notation.get', {});
  useKeptKeys(data === undefined && !isLoadingError);
  if (data === undefined && !isLoadingError) return null;
  if (data !== undefined) takeNotation(data.in_use);
  return <Fragment key={JSON.stringify(data?.in_use)}>{children}</Fragment>;
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
