import { createStore } from 'zustand/vanilla';

/** Whether a backup that this window started is running. It continues while the user visits other screens. */
export const backupRun = createStore<{ readonly isRunning: boolean }>()(() => ({ isRunning: false }));
