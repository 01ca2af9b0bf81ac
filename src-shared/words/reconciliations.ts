export const reconciliationsWords = {
  'reconciliations.summaryTable.differenceAB': 'Difference, A {minus} B',
  'reconciliations.summaryTable.differenceBA': 'Difference, B {minus} A',
  'reconciliations.summaryTable.differenceAB2': 'Difference, {minus}A {minus} B',
} as const;
