import { createContext, useContext } from 'react';
import { present } from '../../src-shared/values/assert.ts';
import type { Connection } from './connection.ts';

export const ConnectionContext = createContext<Connection | null>(null);

/** The window's connection; every screen stands inside its provider. */
export function useConnection(): Connection {
  return present(useContext(ConnectionContext), 'The connection');
}
