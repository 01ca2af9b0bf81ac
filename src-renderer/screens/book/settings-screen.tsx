import { Page } from '../../components/page.tsx';
import { Recipes } from '../imports/recipes.tsx';
import { SyncSection } from '../sync/sync-section.tsx';
import { ApiKeys } from './api-keys.tsx';
import { Appearance } from './appearance.tsx';
import { Backups } from './backups.tsx';
import { Environments } from './environments.tsx';
import { LocalAddress } from './local-address.tsx';
import styles from './settings.module.css';

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
