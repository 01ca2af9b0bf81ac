import { SegmentedControl, useMantineColorScheme } from '@mantine/core';
import { COLOR_SCHEMES } from '../../app/color-scheme-menu.tsx';
import { Section } from './section.tsx';
import styles from './settings.module.css';

/** Light, dark, or as the system says. */
export function Appearance() {
  const { colorScheme, setColorScheme } = useMantineColorScheme();
  return (
    <Section id="appearance" title="Appearance" about="Of this window alone.">
      <div className={styles.row}>
        <SegmentedControl
          aria-label="Colours"
          className={styles.choice}
          value={colorScheme}
          onChange={setColorScheme}
          data={COLOR_SCHEMES.map(({ scheme, label }) => ({ value: scheme, label }))}
          data-testid="appearance-scheme"
        />
      </div>
    </Section>
  );
}
