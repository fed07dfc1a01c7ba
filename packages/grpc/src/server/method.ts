/** The methods of a server. */
import type { Decoded, Input, MessageTable } from '@coxswain/protobuf';

/** The caller, as far as the call identifies it. */
export interface Caller {
  /** The token from `Authenticate`. */
  readonly token: string | undefined;
  /** The name in the client's certificate. */
  readonly commonName: string | undefined;
  /** Aborts when the client is gone. */
  readonly signal: AbortSignal;
}

/** What a handler can use besides the request. */
export interface StreamCall<I, O> {
  readonly caller: Caller;
  /** In order; ends when the client ends its requests. */
  readonly requests: AsyncIterable<I>;
  /** The context of the caller. */
  readonly signal: AbortSignal;
  send(response: O): void;
  /** Bytes that the client has not read yet. */
  readonly unsentBytes: number;
  /** Calls back when `unsentBytes` is small again. */
  onDrain(callback: () => void): void;
}

export interface Method {
  readonly request: MessageTable;
  readonly response: MessageTable;
  readonly unary?: (request: never, caller: Caller) => unknown;
  readonly stream?: (call: StreamCall<never, never>) => Promise<void>;
  /** Whether the response may be as large as the store. */
  readonly mayBeLong?: (request: never) => boolean;
  /**
   * Divides a long response into messages whose encodings, one after the other, are its encoding. They are encoded in a
   * turn of the event loop each.
   */
  readonly pieces?: (response: never) => Iterable<unknown>;
}

/** One request, one response. */
export const unary = <I extends MessageTable, O extends MessageTable>(
  request: I,
  response: O,
  answer: (request: Decoded<I>, caller: Caller) => Input<O> | Promise<Input<O>>,
): Method => ({ request, response, unary: answer });

/** Many requests and many responses. */
export const stream = <I extends MessageTable, O extends MessageTable>(
  request: I,
  response: O,
  answer: (call: StreamCall<Decoded<I>, Input<O>>) => Promise<void>,
): Method => ({ request, response, stream: answer });

/** One request and many responses, until the client is gone. */
export const answers = <I extends MessageTable, O extends MessageTable>(
  request: I,
  response: O,
  answersTo: (request: Decoded<I>, signal: AbortSignal) => AsyncIterable<Input<O>>,
): Method =>
  stream(request, response, async ({ requests, signal, send }) => {
    for await (const asked of requests) {
      for await (const answer of answersTo(asked, signal)) send(answer);
      return;
    }
  });

/** By path: `/etcdserverpb.KV/Range`. */
export type Methods = Readonly<Record<string, Method>>;
