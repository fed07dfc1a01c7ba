/** What became of the requests of a soak: answered, told to come again, or failed. */

export class Outcomes {
  answered = 0;
  toldToRetry = 0;
  readonly failed: string[] = [];
  /** From here on a connection that isn't taken is an answer: the server has gone. */
  isLeaving = false;

  note(what: string, status: number, retryAfter: string | undefined): void {
    const isRetry = (status === 429 || status === 503) && retryAfter !== undefined;
    if (isRetry) this.toldToRetry++;
    else if (status >= 200 && status < 300) this.answered++;
    else this.failed.push(`${what}: ${status}`);
  }

  /** @param isRetriable whether the protocol says that the request was never looked at */
  noteFailure(what: string, failure: Error & { readonly code?: string }, isRetriable: boolean): void {
    if (isRetriable || (this.isLeaving && isGone(failure.code))) this.toldToRetry++;
    else this.failed.push(`${what}: ${failure.code ?? ''} ${failure.message}`);
  }
}

const isGone = (code: string | undefined): boolean => code === 'ECONNREFUSED';
