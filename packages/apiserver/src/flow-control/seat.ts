/**
 * The seat of a request that is served. While its client has yet to send the body, it is needed for nothing: when other
 * requests of the level wait, it is given back, and taken again once the body has come. Otherwise a few dozen bodies
 * that never come would keep all seats until their requests time out.
 */
import type { Clock } from '@coxswain/apimachinery';
import { tooManyRequests } from '@coxswain/apimachinery/errors.ts';
import type { ApiRequest } from '../http/api-request.ts';
import { ReadRequest } from '../http/read-request.ts';
import type { BodyStream } from '../http/request-body.ts';
import type { FlowControl } from './flow-control.ts';
import type { Flow } from './flow.ts';
import type { FlowRequest } from './flow-request.ts';

export class Seat implements BodyStream {
  readonly #control: FlowControl;
  readonly #clock: Clock;
  readonly #request: ApiRequest;
  readonly #waitMsMax: number;
  readonly #stream: BodyStream | undefined;
  /** Undefined without a seat. */
  #entry: FlowRequest<Flow> | undefined;
  #isOver = false;

  /** @param waitMsMax how long it may wait for a seat again */
  constructor(
    control: FlowControl,
    clock: Clock,
    request: ApiRequest,
    entry: FlowRequest<Flow>,
    waitMsMax: number,
  ) {
    this.#control = control;
    this.#clock = clock;
    this.#request = request;
    this.#waitMsMax = waitMsMax;
    this.#entry = entry;
    const { body } = request.incoming;
    if (body.kind !== 'stream') return;
    this.#stream = body.stream;
    request.incoming = new ReadRequest(request.incoming, { kind: 'stream', stream: this });
  }

  /** Only the first call counts. */
  leave(nowMs: number): void {
    this.#isOver = true;
    this.#giveBack(nowMs);
  }

  async read(bytesMax: number): Promise<Uint8Array> {
    const entry = this.#entry;
    const reading = this.#stream!.read(bytesMax);
    if (entry === undefined) return reading;
    const { awaited } = entry.flow.level;
    const giveBack = (nowMs: number) => {
      // Nothing has been done for which it would be held longer.
      entry.estimate = { ...entry.estimate, additionalLatencyMs: 0 };
      this.#giveBack(nowMs);
    };
    awaited.add(giveBack, this.#clock.monotonic());
    try {
      await reading;
    } finally {
      awaited.delete(giveBack);
    }
    if (this.#entry === undefined && !this.#isOver) await this.#takeAgain(entry.flow);
    return reading;
  }

  chunks(): AsyncIterable<Uint8Array> {
    return this.#stream!.chunks();
  }

  #giveBack(nowMs: number): void {
    const entry = this.#entry;
    if (entry === undefined) return;
    this.#entry = undefined;
    this.#control.finish(entry, nowMs);
  }

  /** @throws StatusError if it waited in vain */
  async #takeAgain(flow: Flow): Promise<void> {
    const entry = this.#control.arrival(this.#request, flow);
    const admission = this.#control.admit(entry);
    const executes =
      admission === 'waiting'
        ? await new Promise<boolean>((resolve) =>
            this.#control.wait(entry, this.#waitMsMax, this.#request.signal, resolve),
          )
        : admission === 'executing';
    if (!executes) throw tooManyRequests('Too many requests, please try again later.', 1);
    if (this.#isOver) this.#control.finish(entry, this.#clock.monotonic());
    else this.#entry = entry;
  }
}
