/**
 * How values cross between a page and its worker. Data is copied; what cannot be copied stays where it is and is
 * represented by a stand-in. `placed` lists where in the data the stand-ins belong, so that data can never be mistaken
 * for one.
 */

import { StatusError, type Status } from '@coxswain/apimachinery';

/** A value in the form in which a message carries it. */
export interface Packed {
  readonly data: { value: unknown };
  /** Inner values come first. */
  readonly placed: readonly Placed[];
}

interface Placed {
  readonly at: readonly (string | number)[];
  readonly is: StandIn;
}

/** The objects that one side keeps for the other. */
export interface Ends {
  /** Keeps a value and returns the handle by which the other side refers to it. */
  keep(value: object): number;
  /** Keeps a signal; returns the same handle each time. */
  keepSignal(signal: AbortSignal): number;
  /** Returns the handle of an object that the other side keeps; undefined for our own objects. */
  handleOf(value: object): number | undefined;
  /** Returns the object kept here under a handle. */
  kept(handle: number): unknown;
  /** Returns a function that calls the one on the other side. */
  functionAt(handle: number): (...args: readonly unknown[]) => Promise<unknown>;
  /** Returns an object whose members are those of the object on the other side. */
  objectAt(handle: number): object;
  signalAt(handle: number): AbortSignal;
}

/** Deeper values are assumed to be cyclic. */
const depthMax = 200;

/** @throws TypeError for a value that cannot cross, with its position */
export function pack(value: unknown, ends: Ends, { refersTo }: { readonly refersTo: boolean }): Packed {
  const placed: Placed[] = [];
  const walk = (value: unknown, at: readonly (string | number)[]): unknown => {
    if (typeof value === 'symbol' || at.length > depthMax) throw cannotCross(value, at);
    if ((typeof value !== 'object' && typeof value !== 'function') || value === null) return value;
    const put = (is: StandIn, data: unknown): unknown => {
      const whole = walk(data, at);
      placed.push({ at, is });
      return whole;
    };
    const theirs = ends.handleOf(value);
    if (theirs !== undefined) return put('returned', theirs);
    if (typeof value === 'function') return put('function', ends.keep(value));
    if (value instanceof AbortSignal)
      return put('signal', {
        handle: ends.keepSignal(value),
        aborted: value.aborted,
        reason: value.aborted ? value.reason : undefined,
      });
    if (value instanceof Error) return put('error', errorData(value));
    if (value instanceof Request)
      return put('request', messageData(value, { url: value.url, method: value.method }));
    if (value instanceof Response)
      return put('response', messageData(value, { status: value.status, statusText: value.statusText }));
    if (isIterable(value) && !(refersTo && hasMore(value))) return put('iterable', iterationOf(value));
    if (value instanceof URL) return value.href;
    // Copying a view would otherwise copy its whole underlying buffer.
    if (ArrayBuffer.isView(value))
      return new Uint8Array(value.buffer, value.byteOffset, value.byteLength).slice();
    if (Array.isArray(value)) return value.map((item, index) => walk(item, [...at, index]));
    if (isPlain(value))
      return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, walk(item, [...at, key])]));
    if (isCopied(value)) return value;
    if (!refersTo) throw cannotCross(value, at);
    return put('object', ends.keep(value));
  };
  return { data: { value: walk(value, ['value']) }, placed };
}

export function unpack({ data, placed }: Packed, ends: Ends): unknown {
  for (const { at, is } of placed) {
    let holder = data as Record<string | number, unknown>;
    for (const key of at.slice(0, -1)) holder = holder[key] as typeof holder;
    const last = at.at(-1)!;
    holder[last] = standIns[is](holder[last] as never, ends);
  }
  return data.value;
}

const standIns = {
  returned: (handle: number, ends: Ends) => ends.kept(handle),
  function: (handle: number, ends: Ends) => ends.functionAt(handle),
  object: (handle: number, ends: Ends) => ends.objectAt(handle),
  signal: ({ handle, aborted, reason }: SignalData, ends: Ends) =>
    aborted ? AbortSignal.abort(reason) : ends.signalAt(handle),
  error: ({ members, ...own }: ErrorData) =>
    Object.assign(own.status === undefined ? errorOf(own) : StatusError.from(own.status), members, {
      name: own.name,
      stack: own.stack,
    }),
  iterable: (steps: Iteration) => ({ [Symbol.asyncIterator]: () => steps }),
  request: ({ url, body, ...init }: MessageData & { readonly url: string; readonly method: string }) =>
    // Streamed bodies must be declared as such.
    new Request(url, {
      ...init,
      body: streamOf(body),
      ...(body !== null && { duplex: 'half' }),
    } as RequestInit),
  response: ({ body, ...init }: MessageData & { readonly status: number }) =>
    new Response(streamOf(body), init),
};

type StandIn = keyof typeof standIns;

interface SignalData {
  readonly handle: number;
  readonly aborted: boolean;
  readonly reason: unknown;
}

interface ErrorData {
  readonly name: string;
  readonly message: string;
  readonly stack: string | undefined;
  readonly status: Status | undefined;
  readonly members: Readonly<Record<string, unknown>>;
}

const errorKinds: Readonly<Record<string, ErrorConstructor>> = { TypeError, RangeError, SyntaxError };

const errorOf = ({ name, message }: Pick<Error, 'name' | 'message'>): Error =>
  new (errorKinds[name] ?? Error)(message);

function errorData(error: Error): ErrorData {
  const { name, message, stack } = error;
  const status = error instanceof StatusError ? error.status : undefined;
  const members = Object.entries(error).filter(
    ([key, value]) => key !== 'status' && typeof value !== 'object',
  );
  return { name, message, stack, status, members: Object.fromEntries(members) };
}

interface MessageData {
  readonly headers: [string, string][];
  readonly body: AsyncIterable<Uint8Array<ArrayBuffer>> | null;
}

const messageData = <T extends object>({ headers, body }: Request | Response, head: T): MessageData & T => ({
  ...head,
  headers: [...headers],
  body: body && chunksOf(body),
});

async function* chunksOf(
  body: ReadableStream<Uint8Array<ArrayBuffer>>,
): AsyncGenerator<Uint8Array<ArrayBuffer>> {
  const reader = body.getReader();
  try {
    for (let read = await reader.read(); !read.done; read = await reader.read()) yield read.value;
  } finally {
    await reader.cancel();
  }
}

function streamOf(body: MessageData['body']): ReadableStream<Uint8Array<ArrayBuffer>> | null {
  if (body === null) return null;
  const iterator = body[Symbol.asyncIterator]();
  return new ReadableStream({
    async pull(controller) {
      const { done, value } = await iterator.next();
      if (done) controller.close();
      else controller.enqueue(value);
    },
    cancel: async () => void (await iterator.return?.()),
  });
}

/** Starts when the other side requests the first item. */
type Iteration = Pick<Required<AsyncIterator<unknown>>, 'next' | 'return'>;

function iterationOf(items: AsyncIterable<unknown>): Iteration {
  let iterator: AsyncIterator<unknown> | undefined;
  const end = async (): Promise<IteratorResult<unknown>> =>
    (await (iterator ??= items[Symbol.asyncIterator]()).return?.()) ?? { done: true, value: undefined };
  endings.add(end);
  return { next: () => (iterator ??= items[Symbol.asyncIterator]()).next(), return: end };
}

const endings = new WeakSet<object>();

/** Called when the other side has released a value: an iteration ends as if that side had left its loop. */
export function dropped(value: unknown): void {
  if (typeof value === 'function' && endings.has(value))
    (value as Iteration['return'])().catch(() => undefined);
}

const isIterable = (value: object): value is AsyncIterable<unknown> => Symbol.asyncIterator in value;

/** Whether an iterable has further members that would be lost. */
const hasMore = (value: object): boolean => !('next' in value) && !(value instanceof ReadableStream);

function isPlain(value: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
}

/** Types that messages copy natively. */
const copied = [ArrayBuffer, Date, Map, Set, RegExp, Blob];

const isCopied = (value: object): boolean => copied.some((kind) => value instanceof kind);

function cannotCross(value: unknown, at: readonly (string | number)[]): TypeError {
  const kind = typeof value === 'object' ? `a ${value?.constructor.name}` : `a ${typeof value}`;
  return new TypeError(
    `${at.length > depthMax ? 'a value that contains itself' : kind} cannot cross to the worker of the cluster (${at.slice(1).join('.')}): only data, functions, signals, iterables, requests and responses can`,
  );
}
