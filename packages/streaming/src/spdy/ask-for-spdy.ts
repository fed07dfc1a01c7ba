/** Requests an upgrade to SPDY on behalf of a client that speaks WebSockets. */
import type { UpgradedConnection } from '../join-sockets.ts';

export type SpdyResponse = SpdyConnected | SpdyRefused;

export interface SpdyConnected extends UpgradedConnection {
  /** The protocol that the server has chosen; empty if it names none. */
  readonly protocol: string;
}

export interface SpdyRefused {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | readonly string[]>>;
  readonly text: string;
}

/** @param protocols preferred first. @throws Error if the server cannot be reached or sends no valid response */
export type AskForSpdy = (protocols: readonly string[]) => Promise<SpdyResponse>;

/** The message of a refusal: that of a Status, or the plain text. */
export function refusalMessage({ text }: SpdyRefused): string {
  const { message, error } = statusOf(text);
  const texts = [message, error, text].filter((one) => typeof one === 'string').map((one) => one.trim());
  return texts.find((one) => one !== '') ?? 'empty server response';
}

function statusOf(text: string): { readonly message?: unknown; readonly error?: unknown } {
  try {
    return (JSON.parse(text) ?? {}) as object;
  } catch {
    return {};
  }
}
