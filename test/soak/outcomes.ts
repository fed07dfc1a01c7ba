/** What became of the requests of a soak: answered, told to come again, or failed. */

export class Outcomes {
  answered = 0;
  /** Requests that the server has told to come again, or has surely not looked at. */
  reportedToRetry = 0;
  #firstRetry = Promise.withResolvers<void>();
  readonly failed: string[] = [];
  /** From here on a connection that isn't taken is an answer: the server has gone. */
  isLeaving = false;

  note(what: string, status: number, retryAfter: string | undefined): void {
    const isRetry = (status === 429 || status === 503) && retryAfter !== undefined;
    if (isRetry) this.#noteRetry();
    else if (status >= 200 && status < 300) this.answered++;
    else this.failed.push(`${what}: ${status}`);
  }

  /** @param isUnseen whether the server has surely not looked at the request */
  noteFailure(what: string, failure: Error & { readonly code?: string }, isUnseen: boolean): void {
    if (isUnseen) this.#noteRetry();
    else this.failed.push(`${what}: ${failure.code ?? ''} ${failure.message}`);
  }

  /** A connection that never came to be: no fault once the server is leaving. */
  noteNoConnection(what: string, failure: Error & { readonly code?: string }): void {
    this.noteFailure(what, failure, this.isLeaving);
  }

  /** Resolves once a client was told to come again, be it by a port that nobody listens on any more. */
  untilReportedToRetry(): Promise<void> {
    return this.#firstRetry.promise;
  }

  #noteRetry(): void {
    this.reportedToRetry++;
    this.#firstRetry.resolve();
  }
}
