/** Whatever a handler threw, as the Status that the client gets. */
import { StatusError, type Status } from '@coxswain/apimachinery';
import { StorageError } from '@coxswain/storage/storage.ts';

/** @throws what is no failure of the request but a bug: the outermost filter answers it */
export function statusOf(failure: unknown): Status {
  if (failure instanceof StatusError) return failure.status;
  if (failure instanceof StorageError) return ofStorage(failure).status;
  throw failure;
}

/** Failures of the store which it was nobody's business to interpret before. */
function ofStorage(failure: StorageError): StatusError {
  switch (failure.kind) {
    case 'encryption':
    case 'corrupt':
      return new StatusError(500, 'InternalError', `Internal error occurred: ${failure.message}`, {
        causes: [{ message: failure.message }],
      });
    case 'closed':
      return new StatusError(503, 'ServiceUnavailable', failure.message);
    default:
      return new StatusError(500, '', failure.message);
  }
}
