/** One request and its response on an HTTP/1.1 connection. */
import { Duplex } from 'node:stream';
import type { Clock } from '@coxswain/apimachinery';
import type { Peer } from '../api-request.ts';
import type { ApiResponse, ResponseHeaders } from '../api-response.ts';
import type { WriteCoalescer } from '../write-coalescer.ts';
import { answerFraming, answerHead, mayHaveBody, type AnswerFraming } from './answer-head.ts';
import { BodyIntake } from './body-intake.ts';
import { Http1Request } from './http1-request.ts';
import type { RequestHead } from './request-head.ts';
import { nowhere, writeBlocks, writeStream, writeWhole, type WrittenFor } from './write-answer.ts';

type StreamBody = Extract<ApiResponse['body'], { kind: 'stream' }>;

const noBytes = new Uint8Array(0);
const goOn = 'HTTP/1.1 100 Continue\r\n\r\n';

export interface ExchangeParts {
  readonly peer: Peer;
  readonly clock: Clock;
  readonly onAnswered: () => void;
  readonly onBodyRead: () => void;
}

export class Exchange {
  readonly request: Http1Request;
  readonly intake: BodyIntake;
  readonly hasUnknownExpectation: boolean;
  /** The target of a streamed response. */
  sink: WriteCoalescer | undefined;
  /** Whether the whole response was passed to the connection. */
  isAnswered = false;
  /** Whether the connection ends with this response. */
  isLast = false;
  readonly #socket: Duplex;
  readonly #head: RequestHead;
  readonly #by: WrittenFor;
  readonly #onAnswered: () => void;
  /** Whether the client waits for `100 Continue` before it sends the body. */
  readonly #expectsGoOn: boolean;
  /** Whether it has begun to say something, which may be only that the body is awaited. */
  #hasSpoken = false;
  #isAnswering = false;
  #isEndless = false;

  constructor(socket: Duplex, head: RequestHead, { peer, clock, onAnswered, onBodyRead }: ExchangeParts) {
    this.#socket = socket;
    this.#head = head;
    this.#by = { clock, owner: () => peer.owner ?? peer.address };
    this.#onAnswered = onAnswered;
    const expectation = head.headers['expect']?.toLowerCase() ?? '';
    const expectsGoOn = /(?:^|,)[ \t]*100-continue[ \t]*(?:,|$)/.test(expectation);
    this.hasUnknownExpectation = expectation !== '' && !expectsGoOn;
    this.#expectsGoOn = expectsGoOn && head.isCurrent && head.framing.kind !== 'none';
    this.intake = new BodyIntake(head.framing, () => {
      this.#sayGoOn();
      onBodyRead();
    });
    this.request = new Http1Request(head, this.intake.requestBody, peer);
  }

  /** @param afterwards `close` if something other than the request or the response requires the connection to end */
  answer(answer: ApiResponse, afterwards: 'close' | undefined): void {
    const { status, body } = answer;
    const { isCurrent, wantsClose, method } = this.#head;
    const framing = answerFraming(answer, isCurrent);
    // A body that is forwarded piece by piece may be answered piece by piece before it has ended.
    const isStillRead = body.kind === 'stream' && this.intake.isReadInPieces;
    const isCut = !isStillRead && !this.intake.isDone && (this.intake.isHopeless || this.#expectsGoOn);
    this.isLast =
      afterwards === 'close' || wantsClose || isCut || framing === 'close' || namesClose(answer.headers);
    this.#hasSpoken = this.#isAnswering = true;
    if (!isStillRead) this.intake.skip();
    const after = this.isLast ? (isCurrent ? 'close' : undefined) : isCurrent ? undefined : 'keep-alive';
    const head = answerHead(answer, framing, { isCurrent, afterwards: after });
    const isBare = method === 'HEAD' || !mayHaveBody(status);
    if (body.kind === 'chunks' && !isBare) writeBlocks(this.#socket, head, body.chunks, this.#by, this.#done);
    else if (body.kind === 'stream' && !isBare) this.#stream(body, head, framing, answer.headers);
    else {
      if (body.kind === 'stream') body.open(nowhere);
      const bytes = body.kind === 'bytes' && !isBare ? body.bytes : noBytes;
      writeWhole(this.#socket, head, bytes, this.#by, this.#done);
    }
  }

  /** Whether the client has not read its response within the request's time. */
  isOverdue(nowMs: number): boolean {
    return this.#isAnswering && this.request.deadlineMs <= nowMs;
  }

  /** The client left before the response; tells the response's source so. */
  drop({ body }: ApiResponse): void {
    if (body.kind === 'stream') body.open(nowhere);
    if (body.kind === 'upgrade') body.accept(new Duplex().destroy(), noBytes);
  }

  switchProtocol(status: number, headers: ResponseHeaders): void {
    const head = answerHead({ status, headers, body: { kind: 'none' } }, 'length', {
      isCurrent: true,
      afterwards: undefined,
    });
    this.#socket.write(head);
  }

  /** The client still reads but sends no more requests: an endless response is ended. */
  finish(): void {
    if (this.#isEndless) this.sink?.end();
    else this.sink?.abort();
    this.abort();
  }

  /** The client has disconnected. */
  abort(): void {
    this.request.abort();
    this.sink?.gone();
  }

  #stream(
    { open, endless }: StreamBody,
    head: Buffer,
    framing: AnswerFraming,
    headers: ResponseHeaders,
  ): void {
    const bytesDeclared = framing === 'length' ? Number(headers['content-length']) : Number.POSITIVE_INFINITY;
    this.sink = writeStream(this.#socket, head, { framing, bytesDeclared }, this.#done);
    this.#isEndless = endless === true;
    open(this.sink);
  }

  readonly #done = (isWhole: boolean): void => {
    this.isAnswered = true;
    this.intake.skip();
    // A response whose length differs from the declared one makes the connection unusable.
    if (!isWhole) this.isLast = true;
    this.#onAnswered();
  };

  #sayGoOn(): void {
    if (!this.#expectsGoOn || this.#hasSpoken) return;
    this.#hasSpoken = true;
    this.#socket.write(goOn);
  }
}

const namesClose = ({ connection }: ResponseHeaders): boolean =>
  connection !== undefined && /\bclose\b/i.test(String(connection));
