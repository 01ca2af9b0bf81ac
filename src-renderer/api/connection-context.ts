import { createContext, useContext } from 'react';
import { present } from '../../src-shared/values/assert.ts';
import type { Connection } from './connection.ts';

export const ConnectionContext = createContext<Connection | null>(null);

/** Returns the window's connection. The component must be inside its provider. */
export function useConnection(): Connection {
  return present(useContext(ConnectionContext), 'The connection');
}
