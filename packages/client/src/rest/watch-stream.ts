/** Decodes the body of a watch: one JSON event per line, combined into the batches in which they arrived. */

import { StatusError, type KubeObject, type Status, type WatchEvent } from '@coxswain/apimachinery';
import type { TransportResponse } from '../transport.ts';
import { parseJson } from './answer.ts';
import type { BodyFormat } from './body-format.ts';

/** The limit for an event, which may contain the largest possible object in all its versions. */
const eventLengthMax = 64 * 1024 * 1024;

type Batch<T extends KubeObject> = readonly WatchEvent<T>[];
type Read<T extends KubeObject> = IteratorResult<Batch<T>, void>;

/**
 * The events of a watch, in batches as they arrive; the request is sent when the first batch is requested. Reading
 * throws a StatusError for an ERROR event.
 *
 * Every informer waits in one of these, so it is not a generator, which would use several times as much memory.
 * @internal
 */
export class WatchBatches<T extends KubeObject> implements AsyncGenerator<Batch<T>, void, void> {
  #send: (() => Promise<TransportResponse>) | undefined;
  readonly #bodies: BodyFormat | undefined;
  #batches: AsyncIterator<Batch<T>, void> | undefined;
  /** Thrown after the events that arrived before it have been read. */
  #failure: StatusError | undefined;
  readonly #taken = (read: Read<T>) => this.#check(read);

  constructor(send: () => Promise<TransportResponse>, bodies?: BodyFormat) {
    this.#send = send;
    this.#bodies = bodies;
  }

  [Symbol.asyncIterator](): this {
    return this;
  }

  next(): Promise<Read<T>> {
    if (this.#failure !== undefined) return this.throw(this.#failure);
    if (this.#batches !== undefined) return this.#batches.next().then(this.#taken);
    return this.#send === undefined ? Promise.resolve(over) : this.#begin(this.#send);
  }

  async return(): Promise<Read<T>> {
    await this.#leave();
    return over;
  }

  async throw(failure: unknown): Promise<Read<T>> {
    await this.#leave();
    throw failure;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#leave();
  }

  async #begin(send: () => Promise<TransportResponse>): Promise<Read<T>> {
    this.#send = undefined;
    const response = await send();
    this.#batches = batchesOf<T>(response, this.#bodies)[Symbol.asyncIterator]();
    return this.next();
  }

  #check(read: Read<T>): Read<T> | Promise<Read<T>> {
    if (read.done) return read;
    const failed = read.value.findIndex(({ type }) => type === 'ERROR');
    if (failed < 0) return read;
    const failure = StatusError.from(read.value[failed]!.object as unknown as Status);
    if (failed === 0) return this.throw(failure);
    this.#failure = failure;
    return { done: false, value: read.value.slice(0, failed) };
  }

  async #leave(): Promise<void> {
    const batches = this.#batches;
    this.#send = this.#batches = this.#failure = undefined;
    await batches?.return?.();
  }
}

function batchesOf<T extends KubeObject>(
  response: TransportResponse,
  bodies: BodyFormat | undefined,
): AsyncIterable<Batch<T>> {
  if (response.events !== undefined) return response.events as AsyncIterable<Batch<T>>;
  if (bodies?.isOf(response)) return bodies.decodeEvents<T>(response.stream());
  return decode<T>(response.stream());
}

const over = { done: true, value: undefined } as const;

async function* decode<T>(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<WatchEvent<T>[]> {
  const decoder = new TextDecoder();
  let rest = '';
  for await (const chunk of chunks) {
    rest += decoder.decode(chunk, { stream: true });
    if (rest.length > eventLengthMax)
      throw new Error(`a watch event is longer than ${eventLengthMax} characters`);
    const end = rest.lastIndexOf('\n');
    if (end < 0) continue;
    const lines = rest.slice(0, end).split('\n');
    rest = rest.slice(end + 1);
    const events = lines.filter((line) => line.trim() !== '').map((line) => parseJson(line) as WatchEvent<T>);
    if (events.length > 0) yield events;
  }
  if (rest.trim() !== '') yield [parseJson(rest) as WatchEvent<T>];
}
