import { Drawer } from '@mantine/core';
import { balanceLabel, adjustedLabel, type FigureKey, groupLabel } from '../../format/statement-rows.ts';
import { lineName } from '../../format/close-words.ts';
import { useClosing } from './close-context.ts';
import { useFocusBack } from './use-focus-back.ts';
import styles from './statement.module.css';
import { AdjustedTable, BalanceTable, DifferenceTable, GroupTable, ItemDetail, UnexplainedTable } from './figure-tables.tsx';

interface FigureLinesProps {
  readonly figure: FigureKey;
  readonly onClose: () => void;
}

/** The lines behind a figure; each leads to its line in the reconciliation. */
export function FigureLines({ figure, onClose }: FigureLinesProps) {
  const title = useTitle(figure);
  useFocusBack();
  return (
    <Drawer
      opened
      onClose={onClose}
      position="right"
      size={620}
      overlayProps={{ color: 'var(--scrim)', backgroundOpacity: 1 }}
      title={title}
      closeButtonProps={{ 'aria-label': 'Close' }}
      classNames={{ title: styles.drawerTitle ?? '', body: styles.drawer ?? '' }}
      data-testid="figure-lines"
    >
      <Content figure={figure} />
    </Drawer>
  );
}

function useTitle(figure: FigureKey): string {
  const { statement } = useClosing();
  switch (figure.kind) {
    case 'group':
      return groupLabel(statement, figure.name);
    case 'balance':
      return balanceLabel(statement, figure.slot);
    case 'adjusted':
      return adjustedLabel(statement, figure.slot);
    case 'unexplained':
      return 'Unexplained';
    case 'item': {
      const item = statement.open_items.find((open) => open.record_id === figure.recordId);
      return item === undefined ? 'Line' : lineName(item);
    }
  }
}

function Content({ figure }: { readonly figure: FigureKey }) {
  switch (figure.kind) {
    case 'group':
      return figure.name === 'match_differences' ? <DifferenceTable /> : <GroupTable name={figure.name} />;
    case 'balance':
      return <BalanceTable slot={figure.slot} />;
    case 'adjusted':
      return <AdjustedTable slot={figure.slot} />;
    case 'unexplained':
      return <UnexplainedTable />;
    case 'item':
      return <ItemDetail recordId={figure.recordId} />;
  }
}
