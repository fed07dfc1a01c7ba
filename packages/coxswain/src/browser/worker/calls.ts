/**
 * Calls between a page and its worker, in both directions over one port, so that everything arrives in the order in
 * which it was sent. Each side refers by number to objects that the other keeps for it.
 */

import { detach } from '@coxswain/apimachinery/detach.ts';
import { dropped, pack, unpack, type Ends, type Packed } from './crossing.ts';

/** The messaging interface of a worker, of its global scope, or of a message channel. */
export interface Port {
  postMessage(message: unknown): void;
  addEventListener(type: 'message', listen: (event: { readonly data: unknown }) => void): void;
}

type Message =
  /** Without arguments, reads the member itself. */
  | { readonly call: number; readonly on: number; readonly path: readonly string[]; readonly args?: Packed }
  | { readonly answer: number; readonly value: Packed }
  | { readonly failure: number; readonly error: Packed }
  | { readonly aborted: number; readonly reason: Packed }
  /** The object under that number (or the sender's signal) is no longer needed. */
  | { readonly forget: number }
  | { readonly forgetSignal: number };

export interface CallsOptions {
  /** What the other side can call from the start. */
  readonly entry?: object;
  /** Whether instances of classes cross as references; otherwise they are refused. */
  readonly refersTo: boolean;
}

const entryHandle = 0;

export class Calls {
  readonly #port: Port;
  readonly #refersTo: boolean;
  readonly #kept = new Map<number, unknown>();
  readonly #signals = new WeakMap<AbortSignal, number>();
  /** For the other side's signals. */
  readonly #aborts = new Map<number, AbortController>();
  readonly #theirs = new WeakMap<object, number>();
  readonly #waiting = new Map<number, PromiseWithResolvers<unknown>>();
  readonly #unused: FinalizationRegistry<Message>;
  readonly #ends: Ends;
  #last = entryHandle;
  #closed: Error | undefined;

  constructor(port: Port, { entry, refersTo }: CallsOptions) {
    this.#port = port;
    this.#refersTo = refersTo;
    this.#kept.set(entryHandle, entry);
    this.#unused = new FinalizationRegistry((message) => this.#post(message));
    this.#ends = {
      keep: (value) => this.#keep(value),
      keepSignal: (signal) => this.#keepSignal(signal),
      handleOf: (value) => this.#theirs.get(value),
      kept: (handle) => this.#kept.get(handle),
      functionAt: (handle) => this.#ours(handle, (...args) => this.#call(handle, [], args)),
      objectAt: (handle) => this.#ours(handle, this.#membersOf(handle, []) as object),
      signalAt: (handle) => this.#signalAt(handle),
    };
    port.addEventListener('message', ({ data }) => detach(this.#receive(data as Message)));
  }

  /** What the other side offers from the start; each member is read with `await`. */
  get entry(): unknown {
    return this.#membersOf(entryHandle, []);
  }

  /** Rejects all pending calls with the reason. */
  close(reason: Error): void {
    this.#closed = reason;
    for (const { reject } of this.#waiting.values()) reject(reason);
    this.#waiting.clear();
  }

  #post(message: Message): void {
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- workers have none
    if (this.#closed === undefined) this.#port.postMessage(message);
  }

  #pack(value: unknown): Packed {
    return pack(value, this.#ends, { refersTo: this.#refersTo });
  }

  #keep(value: object): number {
    this.#kept.set(++this.#last, value);
    return this.#last;
  }

  #keepSignal(signal: AbortSignal): number {
    const known = this.#signals.get(signal);
    if (known !== undefined) return known;
    const handle = ++this.#last;
    this.#signals.set(signal, handle);
    this.#unused.register(signal, { forgetSignal: handle });
    const report = () => this.#post({ aborted: handle, reason: this.#pack(reasonOf(signal)) });
    signal.addEventListener('abort', report, { once: true });
    return handle;
  }

  #signalAt(handle: number): AbortSignal {
    const controller = this.#aborts.get(handle) ?? new AbortController();
    this.#aborts.set(handle, controller);
    return controller.signal;
  }

  /**
   * Keeps a stand-in for an object of the other side, which may release the object once the stand-in is
   * garbage-collected.
   */
  #ours<T extends object>(handle: number, standIn: T): T {
    this.#theirs.set(standIn, handle);
    this.#unused.register(standIn, { forget: handle });
    return standIn;
  }

  async #call(on: number, path: readonly string[], args?: readonly unknown[]): Promise<unknown> {
    if (this.#closed !== undefined) throw this.#closed;
    const call = ++this.#last;
    const answer = Promise.withResolvers<unknown>();
    const packed = args && { args: this.#pack(args) };
    this.#waiting.set(call, answer);
    this.#post({ call, on, path, ...packed });
    return answer.promise;
  }

  /** `members.clock.advance('1m')` is one call; `await members.nodes.names` reads a member. */
  #membersOf(on: number, path: readonly string[]): unknown {
    const target = (...args: readonly unknown[]) => this.#call(on, path, args);
    return new Proxy(target, {
      get: (_, name) => {
        if (typeof name === 'symbol') return undefined;
        if (name !== 'then') return this.#membersOf(on, [...path, name]);
        if (path.length === 0) return undefined;
        const asked = this.#call(on, path);
        return asked.then.bind(asked);
      },
    });
  }

  async #receive(message: Message): Promise<void> {
    if ('call' in message) return this.#answer(message);
    if ('answer' in message)
      return this.#settle(message.answer, (to) => to.resolve(unpack(message.value, this.#ends)));
    if ('failure' in message)
      return this.#settle(message.failure, (to) => to.reject(unpack(message.error, this.#ends)));
    if ('aborted' in message)
      return this.#aborts.get(message.aborted)?.abort(unpack(message.reason, this.#ends));
    if ('forget' in message) {
      dropped(this.#kept.get(message.forget));
      this.#kept.delete(message.forget);
    } else this.#aborts.delete(message.forgetSignal);
  }

  #settle(call: number, settle: (to: PromiseWithResolvers<unknown>) => void): void {
    const waiting = this.#waiting.get(call);
    this.#waiting.delete(call);
    if (waiting !== undefined) settle(waiting);
  }

  async #answer({ call, on, path, args }: Extract<Message, { call: number }>): Promise<void> {
    try {
      const holder = path.slice(0, -1).reduce<unknown>(memberOf, this.#kept.get(on));
      const member = path.length === 0 ? holder : memberOf(holder, path.at(-1)!);
      const value = await (args === undefined
        ? member
        : Reflect.apply(member as () => unknown, holder, unpack(args, this.#ends) as unknown[]));
      this.#post({ answer: call, value: this.#pack(value) });
    } catch (failure) {
      this.#post({ failure: call, error: this.#pack(reportable(failure)) });
    }
  }
}

const memberOf = (holder: unknown, name: string): unknown => (holder as Record<string, unknown>)[name];

const reasonOf = ({ reason }: AbortSignal): unknown => reportable(reason);

/** Turns a failure of any type into an Error. */
const reportable = (failure: unknown): Error =>
  failure instanceof Error ? failure : new Error(String(failure));
