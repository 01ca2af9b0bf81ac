import { Button } from '@mantine/core';
import { Page } from '../../components/page.tsx';
import { useNavigation } from '../../state/navigation.ts';
import styles from './sync.module.css';

/** Says what sync is, where there is nothing to sync with. */
export function NoRemote({ isGone }: { readonly isGone: boolean }) {
  const go = useNavigation((state) => state.go);
  return (
    <Page title="Sync" isFlush testId="sync-screen">
      <div className={styles.middle} data-testid="no-remote">
        <h2>{isGone ? 'This remote is not set up here' : 'Nothing to sync with yet'}</h2>
        <p>
          Sync keeps this book in step with that of another Tieout: what only one side has goes to the other, whole and once. Where both
          changed the same thing you decide, and you see first what each choice leads to.
        </p>
        <Button onClick={() => go({ screen: 'settings' })} data-testid="set-up-remote">
          {isGone ? 'Open the settings' : 'Set up a remote'}
        </Button>
      </div>
    </Page>
  );
}
