/** The threads that this process starts for jobs are kept for the next ones from now on. */
export function keepThreadsWarm(): void;
