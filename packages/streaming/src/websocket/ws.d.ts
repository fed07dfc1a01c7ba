/** The parts of `ws` that are used here; the package has no types. */
declare module 'ws' {
  import type { Duplex, Writable } from 'node:stream';

  export class Receiver extends Writable {
    constructor(options: {
      readonly isServer: boolean;
      readonly maxPayload: number;
      readonly skipUTF8Validation?: boolean;
    });
  }

  export class Sender {
    constructor(socket: Duplex);
    send(
      data: Uint8Array | string,
      options: {
        readonly binary: boolean;
        readonly mask: boolean;
        readonly compress: boolean;
        readonly fin: boolean;
      },
    ): void;
    pong(data: Uint8Array, mask: boolean): void;
    ping(data: Uint8Array, mask: boolean): void;
    close(code: number, reason: string, mask: boolean): void;
  }
}
