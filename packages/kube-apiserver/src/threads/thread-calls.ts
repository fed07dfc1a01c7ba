/** Calls between two threads in both directions. */
import { detach } from '@coxswain/apimachinery/detach.ts';
import { messageOf } from '@coxswain/apimachinery/message-of.ts';
import { isStatusError, StatusError, type Status } from '@coxswain/apimachinery';
import type { Transferable } from 'node:worker_threads';

/** The messages. */
export type CallMessage =
  | { readonly kind: 'question'; readonly id: number; readonly question: unknown }
  | { readonly kind: 'answer'; readonly id: number; readonly answer: unknown }
  | { readonly kind: 'failure'; readonly id: number; readonly failure: Status | string }
  /** Nobody waits for the answer any more. */
  | { readonly kind: 'abandon'; readonly id: number };

interface Waiting {
  resolve(answer: never): void;
  reject(failure: Error): void;
}

type Send = (message: CallMessage, transfer: Transferable[]) => void;

export class ThreadCalls<Question, Asked> {
  readonly #send: Send;
  readonly #reply: (asked: Asked, signal: AbortSignal) => unknown;
  readonly #waiting = new Map<number, Waiting>();
  readonly #answering = new Map<number, AbortController>();
  #lastId = 0;
  #hasEnded = false;

  /** @param reply answers the other thread's calls */
  constructor(send: Send, reply: (asked: Asked, signal: AbortSignal) => unknown) {
    this.#send = send;
    this.#reply = reply;
  }

  receive(message: CallMessage): void {
    if (message.kind === 'question') detach(this.#answer(message.id, message.question as Asked));
    else if (message.kind === 'abandon') this.#answering.get(message.id)?.abort();
    else this.#take(message);
  }

  /**
   * @param transfer what the question contains and moves to the other thread
   * @throws StatusError or Error as in the other thread, Error when that has ended
   */
  ask<Answer>(question: Question, signal?: AbortSignal, transfer: Transferable[] = []): Promise<Answer> {
    const id = ++this.#lastId;
    return new Promise<Answer>((resolve, reject) => {
      if (this.#hasEnded) return reject(endedError());
      this.#waiting.set(id, { resolve, reject });
      signal?.addEventListener('abort', () => this.#post({ kind: 'abandon', id }), { once: true });
      this.#post({ kind: 'question', id, question }, transfer);
    });
  }

  /** Called when the other thread has ended. */
  end(): void {
    this.#hasEnded = true;
    for (const { reject } of this.#waiting.values()) reject(endedError());
    this.#waiting.clear();
    for (const abort of this.#answering.values()) abort.abort();
  }

  async #answer(id: number, question: Asked): Promise<void> {
    const abort = new AbortController();
    this.#answering.set(id, abort);
    try {
      this.#post({ kind: 'answer', id, answer: await this.#reply(question, abort.signal) });
    } catch (error) {
      const failure = isStatusError(error) ? error.status : messageOf(error);
      this.#post({ kind: 'failure', id, failure });
    } finally {
      this.#answering.delete(id);
    }
  }

  #take(message: Extract<CallMessage, { kind: 'answer' | 'failure' }>): void {
    const waiting = this.#waiting.get(message.id);
    this.#waiting.delete(message.id);
    if (message.kind === 'answer') waiting?.resolve(message.answer as never);
    else waiting?.reject(errorOf(message.failure));
  }

  #post(message: CallMessage, transfer: Transferable[] = []): void {
    if (!this.#hasEnded) this.#send(message, transfer);
  }
}

const errorOf = (failure: Status | string): Error =>
  typeof failure === 'string' ? new Error(failure) : StatusError.from(failure);

const endedError = (): Error => new Error('the other thread has ended');
