import type { SentHeaders } from '../hpack/encoder.ts';
import { PieceQueue } from './piece-queue.ts';

/** Callbacks of the response's owner, after the data was handed to the connection. */
export interface OutputListener {
  /** Everything written has been sent. */
  drained(): void;
  /** The end has been sent, too. */
  finished(): void;
}

/** The pending response of one stream. */
export class StreamOutput {
  readonly id: number;
  readonly listener: OutputListener;
  /** The number of bytes that the client's window allows. */
  window: number;
  status = 0;
  /** Sent before everything else; undefined before there is a response, and after they were sent. */
  headers: SentHeaders | undefined;
  readonly data = new PieceQueue();
  isEnding = false;
  trailers: SentHeaders | undefined;
  /** Nothing more will be sent: the end was sent, or the stream was reset. */
  isOver = false;
  /** The stream is among those that the next flush serves. */
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
