export const bookWords = {
  'book.kinds.byHand': 'Made by hand',
  'book.kinds.daily': 'Daily',
  'book.kinds.beforeMigration': 'Before an update',
  'book.kinds.beforeRestore': 'Before a restore',
  'book.kinds.beforeSync': 'Before a sync',
  'book.kinds.beforeChanges': 'Before a sync that brought something',
} as const;
