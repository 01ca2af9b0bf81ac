import { Page } from '../../components/page.tsx';
import { Appearance } from './appearance.tsx';
import { Backups } from './backups.tsx';
import { Environments } from './environments.tsx';
import { ApiKeys } from './local-address/api-keys.tsx';
import { LocalAddress } from './local-address/local-address.tsx';
import { Recipes } from './recipes.tsx';
import styles from './settings.module.css';
import { SyncSection } from './sync/sync-section.tsx';

/** What holds for this book and this window: who else gets in, and how it looks. */
export function SettingsScreen() {
  return (
    <Page title="Settings" testId="settings-screen">
      <div className={styles.sections}>
        <Backups />
        <SyncSection />
        <LocalAddress />
        <ApiKeys />
        <Environments />
        <Recipes />
        <Appearance />
      </div>
    </Page>
  );
}
