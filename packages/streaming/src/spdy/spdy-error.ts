/** The peer violates SPDY/3.1 or exceeds a limit; the connection ends. */
export class SpdyError extends Error {
  constructor(message: string) {
    super(`SPDY: ${message}`);
    this.name = 'SpdyError';
  }
}
