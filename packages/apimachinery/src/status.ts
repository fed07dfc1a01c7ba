/** metav1.Status: the form in which the API reports failure, and the error that carries it. */

import type { ListMeta } from './meta.ts';

export interface StatusCause {
  reason?: string;
  message?: string;
  field?: string;
}

export interface StatusDetails {
  name?: string;
  group?: string;
  kind?: string;
  uid?: string;
  causes?: StatusCause[];
  retryAfterSeconds?: number;
}

export interface Status {
  kind: 'Status';
  apiVersion: 'v1';
  metadata: ListMeta;
  status: 'Success' | 'Failure';
  message?: string;
  reason?: string;
  details?: StatusDetails;
  code?: number;
}

/** A failure with upstream's code, reason and message; the filter chain turns it into the response. */
export class StatusError extends Error {
  readonly status: Status;

  constructor(code: number, reason: string, message: string, details?: StatusDetails) {
    super(message);
    this.name = 'StatusError';
    this.status = {
      kind: 'Status',
      apiVersion: 'v1',
      metadata: {},
      status: 'Failure',
      message,
      ...(reason === '' ? {} : { reason }),
      ...(details === undefined ? {} : { details }),
      code,
    };
  }

  static from(status: Status): StatusError {
    const { code = 500, reason = '', message = '', details } = status;
    const error = new StatusError(code, reason, message, details);
    // Where a list may continue whose revision was compacted.
    if (status.metadata?.continue) error.status.metadata.continue = status.metadata.continue;
    return error;
  }

  get code(): number {
    return this.status.code ?? 500;
  }

  get reason(): string {
    return this.status.reason ?? '';
  }
}

/** Also recognizes errors of another copy of this library, since packages installed side by side have their own. */
export const isStatusError = (error: unknown, reason?: string): error is StatusError =>
  (error instanceof StatusError || isForeignStatusError(error)) &&
  (reason === undefined || error.reason === reason);

/** Waits for `work`, and accepts a failure with that reason: an object to be deleted may be gone already. */
export async function ignoring(reason: string, work: Promise<unknown>): Promise<void> {
  try {
    await work;
  } catch (failure) {
    if (!isStatusError(failure, reason)) throw failure;
  }
}

const isForeignStatusError = (error: unknown): error is StatusError =>
  error instanceof Error && error.name === 'StatusError' && 'status' in error;
