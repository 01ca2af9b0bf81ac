import { COMMON_ERRORS, contract, type ErrorCode, type Operation, type OperationId } from '../../src-shared/contract/index.ts';

export const publicOperations = Object.values<Operation>(contract).filter((spec) => spec.surface === 'public');

export function publicOperationIds(): OperationId[] {
  return publicOperations.map((spec) => spec.id as OperationId);
}

/** Codes that a client of /v1 can be answered; the others belong to the window alone. */
export function publicErrorCodes(): ErrorCode[] {
  return [...new Set<ErrorCode>([...COMMON_ERRORS, 'idempotency_mismatch', ...publicOperations.flatMap((spec) => spec.errors)])];
}
