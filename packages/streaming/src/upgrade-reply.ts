import type { Duplex } from 'node:stream';

/** The answer to a request that asks for another protocol: the connection, or why not. */
export type UpgradeReply =
  | {
      readonly status: 101;
      readonly headers: Readonly<Record<string, string>>;
      /** Takes over the connection once the head is written; `head` is what came on it already. */
      readonly accept: (socket: Duplex, head: Uint8Array) => void;
    }
  | {
      readonly status: number;
      readonly headers: Readonly<Record<string, string | readonly string[]>>;
      readonly text: string;
    };

export type RequestHeaders = Readonly<Record<string, string | readonly string[] | undefined>>;

export const spdyName = 'SPDY/3.1';
export const versionHeader = 'x-stream-protocol-version';

export const spdyHeaders = (protocol: string): Record<string, string> => ({
  connection: 'Upgrade',
  upgrade: spdyName,
  ...(protocol !== '' && { [versionHeader]: protocol }),
});

export const refusal = (status: 400 | 403, text: string): UpgradeReply => ({
  status,
  headers: {},
  text: text === '' ? '' : `${text}\n`,
});
