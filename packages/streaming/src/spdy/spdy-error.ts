/** The other end speaks no SPDY/3.1, or more of it than is taken: the connection ends. */
export class SpdyError extends Error {
  constructor(message: string) {
    super(`SPDY: ${message}`);
    this.name = 'SpdyError';
  }
}
