/** Finds the end of a body in the bytes of a connection. */
import { StatusError } from '@coxswain/apimachinery';

export interface BodyReader {
  readonly isDone: boolean;
  /** The minimum number of bytes still to come. */
  readonly bytesLeft: number;
  /**
   * Passes the body's bytes from `start` on to `onData`, and returns where it stopped: at the end of the body or of the
   * chunk, or after some work.
   * @throws StatusError when the rest is malformed
   */
  take(chunk: Buffer, start: number, onData: (bytes: Uint8Array) => void): number;
}

/** The form of Go's plain errors: a status without a reason. */
export const bodyFault = (text: string): StatusError => new StatusError(500, '', text);
