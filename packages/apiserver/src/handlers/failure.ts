/** Turns whatever a handler threw into the Status for the client. */
import { StatusError, type Status } from '@coxswain/apimachinery';
import { StorageError } from '@coxswain/storage/storage.ts';

/** @throws anything that is a bug rather than a failure of the request, for the outermost filter to answer */
export function statusOf(failure: unknown): Status {
  if (failure instanceof StatusError) return failure.status;
  if (failure instanceof StorageError) return ofStorage(failure).status;
  throw failure;
}

/** Storage errors that no handler has interpreted. */
function ofStorage(failure: StorageError): StatusError {
  switch (failure.kind) {
    case 'encryption':
    case 'corrupt':
      return new StatusError(500, 'InternalError', `Internal error occurred: ${failure.message}`, {
        causes: [{ message: failure.message }],
      });
    // Of a resource that has just been redefined or removed, or of a server that stops: the next attempt tells.
    case 'closed':
      return new StatusError(503, 'ServiceUnavailable', failure.message, { retryAfterSeconds: 1 });
    default:
      return new StatusError(500, '', failure.message);
  }
}
