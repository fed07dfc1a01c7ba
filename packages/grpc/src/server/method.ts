/** What a server answers, and how. */
import type { Decoded, Input, MessageTable } from '@coxswain/protobuf';

/** Who calls, as far as the call tells. */
export interface Caller {
  /** Of `Authenticate`. */
  readonly token: string | undefined;
  /** Of the client's certificate. */
  readonly commonName: string | undefined;
  /** Aborts when the client is gone. */
  readonly signal: AbortSignal;
}

/** What a call of a client offers to the one who answers it. */
export interface StreamCall<I, O> {
  readonly caller: Caller;
  /** In order; ends when the client has no more. */
  readonly requests: AsyncIterable<I>;
  /** The caller's. */
  readonly signal: AbortSignal;
  send(response: O): void;
  /** Bytes that wait for the client to read them. */
  readonly unsentBytes: number;
  /** Calls once `unsentBytes` is small again. */
  onDrain(callback: () => void): void;
}

export interface Method {
  readonly request: MessageTable;
  readonly response: MessageTable;
  readonly unary?: (request: never, caller: Caller) => unknown;
  readonly stream?: (call: StreamCall<never, never>) => Promise<void>;
  /** Whether the answer may be as large as the store. */
  readonly mayBeLong?: (request: never) => boolean;
}

/** One request, one response. */
export const unary = <I extends MessageTable, O extends MessageTable>(
  request: I,
  response: O,
  answer: (request: Decoded<I>, caller: Caller) => Input<O> | Promise<Input<O>>,
): Method => ({ request, response, unary: answer });

/** Requests and responses as they come. */
export const stream = <I extends MessageTable, O extends MessageTable>(
  request: I,
  response: O,
  answer: (call: StreamCall<Decoded<I>, Input<O>>) => Promise<void>,
): Method => ({ request, response, stream: answer });

/** One request, answers as they come, until the client is gone. */
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
