import type { LocalPort } from '../../../src-shared/contract/index.ts';
import { originFrom } from '../../../src-shared/values/network.ts';
import styles from './settings.module.css';
import { TextList } from './text-list.tsx';
import { useLocalPort } from './use-local-port.ts';

/** The pages that may call the address. */
export function AllowedOrigins({ port }: { readonly port: LocalPort }) {
  const { change, done, failure, isRunning } = useLocalPort();
  async function set(origins: string[], title: string): Promise<boolean> {
    const before = port.allowed_origins;
    const isSet = await change({ allowed_origins: origins });
    if (isSet) done(title, { allowed_origins: before });
    return isSet;
  }
  return (
    <div className={styles.row}>
      <TextList
        label="Web pages that may call it"
        about="Add-ins of a spreadsheet run as web pages. Name the origin of each; every other page is refused."
        empty="No page is on the list. Programs that are not web pages need no entry."
        placeholder="https://addin.example.com"
        items={port.allowed_origins}
        read={originFrom}
        onChange={set}
        failure={failure?.message ?? null}
        isRunning={isRunning}
        testId="allowed-origins"
      />
    </div>
  );
}
