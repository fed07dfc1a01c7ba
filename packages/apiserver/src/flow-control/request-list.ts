/** Requests in the order in which they came; taking one out costs the same wherever it stands. */
import type { FlowRequest } from './flow-request.ts';

export class RequestList {
  length = 0;
  first: FlowRequest | undefined = undefined;
  #last: FlowRequest | undefined = undefined;

  push(request: FlowRequest): void {
    request.list = this;
    request.before = this.#last;
    if (this.#last === undefined) this.first = request;
    else this.#last.after = request;
    this.#last = request;
    this.length++;
  }

  /** Whether it was in here. */
  remove(request: FlowRequest): boolean {
    if (request.list !== this) return false;
    const { before, after } = request;
    if (before === undefined) this.first = after;
    else before.after = after;
    if (after === undefined) this.#last = before;
    else after.before = before;
    request.list = request.before = request.after = undefined;
    this.length--;
    return true;
  }

  *[Symbol.iterator](): Generator<FlowRequest> {
    for (let request = this.first; request !== undefined; request = request.after) yield request;
  }
}
