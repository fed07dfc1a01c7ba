import type { SentHeaders } from '../hpack/encoder.ts';
import { PieceQueue } from './piece-queue.ts';

/** What the answer's owner hears, once what it concerns was handed to the connection. */
export interface OutputListener {
  /** All that was written has left. */
  drained(): void;
  /** The end has left, too. */
  finished(): void;
}

/** The answer of one stream, as far as it waits to be sent. */
export class StreamOutput {
  readonly id: number;
  readonly listener: OutputListener;
  /** Bytes that the client lets this stream send. */
  window: number;
  status = 0;
  /** Sent before all else; undefined before there is an answer, and when they have left. */
  headers: SentHeaders | undefined;
  readonly data = new PieceQueue();
  isEnding = false;
  trailers: SentHeaders | undefined;
  /** Nothing more is sent: the end has left, or the stream was cut off. */
  isOver = false;
  /** It is among those that the next flush asks. */
  isQueued = false;

  constructor(id: number, window: number, listener: OutputListener) {
    this.id = id;
    this.window = window;
    this.listener = listener;
  }

  cut(): void {
    this.isOver = true;
    this.headers = this.trailers = undefined;
    this.data.clear();
  }
}
