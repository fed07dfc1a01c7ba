import type { Duplex } from 'node:stream';

/** The response to an upgrade request: the connection, or the reason for the refusal. */
export type UpgradeReply =
  | {
      readonly status: 101;
      readonly headers: Readonly<Record<string, string>>;
      /** Takes over the connection after the response header was written; `head` is data that has already arrived. */
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
