import { IconBuilding, IconDeviceLaptop } from '@tabler/icons-react';
import type { SyncConflictSide } from '../../../src-shared/contract/index.ts';
import { momentText } from '../../format/close-days.ts';
import styles from './decide.module.css';

interface SideHeadProps {
  readonly name: string;
  readonly isHere: boolean;
  readonly side: SyncConflictSide;
}

/** Which side it is, and what was done there, by whom and when, where that is known. */
export function SideHead({ name, isHere, side }: SideHeadProps) {
  const Icon = isHere ? IconDeviceLaptop : IconBuilding;
  const parts = [side.by, side.at === null ? null : momentText(side.at)];
  const words = parts.filter((part) => part !== null).join(' · ');
  return (
    <span className={styles.sideHead}>
      <Icon size={16} aria-hidden />
      <b className="truncate" title={name}>
        {name}
      </b>
      <span className="truncate" title={words}>
        {words}
      </span>
    </span>
  );
}
