import type { ServiceContext } from '../service/context.ts';
import { batchCurrencyHandlers, importBatchHandlers } from './operations/import-batches.ts';
import { importRecipeHandlers } from './operations/import-recipes.ts';
import { importedFileHandlers } from './operations/imported-files.ts';
import { importHandlers, importRowHandlers } from './operations/imports.ts';

/** Returns the handlers of this room's operations, by the names that the contract gives them. */
export function importsOperations(context: ServiceContext) {
  const batches = importBatchHandlers(context);
  return {
    ...batches,
    ...importedFileHandlers(context, batches['import_batches.remove']),
    ...batchCurrencyHandlers(context),
    ...importRecipeHandlers(context),
    ...importRowHandlers(context),
    ...importHandlers(context),
  };
}
