import '@mantine/core/styles.css';
import '@mantine/dates/styles.css';
import '@mantine/notifications/styles.css';
import '@fontsource-variable/inter/index.css';
import './styles/tokens.css';
import './styles/global.css';
import { MantineProvider } from '@mantine/core';
import { Notifications } from '@mantine/notifications';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { present } from '../src-shared/values/assert.ts';
import { ConnectionContext } from './api/connection-context.ts';
import { connect } from './api/connection.ts';
import { Shell } from './app/shell.tsx';
import { WindowGate } from './app/window-gate.tsx';
import { cssVariables, theme } from './styles/theme.ts';

const connection = connect();

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
