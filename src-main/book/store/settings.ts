import { query, type ReadHandle, type WriteHandle } from '../../database/database.ts';

type SettingKey = 'book_id' | 'book_created_at' | 'book_name' | 'is_sample' | 'local_port' | 'status_explains' | 'temporary_reconciliation';

export function setting(read: ReadHandle, key: SettingKey): string | null {
  return read.first(query.selectFrom('settings').select('value').where('key', '=', key))?.value ?? null;
}

export function setSetting(write: WriteHandle, key: SettingKey, value: string): void {
  write.run(
    query
      .insertInto('settings')
      .values({ key, value })
      .onConflict((conflict) => conflict.column('key').doUpdateSet({ value })),
  );
}

export function forgetSetting(write: WriteHandle, key: SettingKey): void {
  write.run(query.deleteFrom('settings').where('key', '=', key));
}
