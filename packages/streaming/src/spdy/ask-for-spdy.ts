/** Asking a server for SPDY on behalf of a client that speaks WebSockets. */
import type { UpgradedConnection } from '../join-sockets.ts';

export type SpdyAnswer = SpdyConnected | SpdyRefused;

export interface SpdyConnected extends UpgradedConnection {
  /** As the server chose it; empty when it says none. */
  readonly protocol: string;
}

export interface SpdyRefused {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | readonly string[]>>;
  readonly text: string;
}

/** @param protocols best first. @throws Error when the server can't be reached, or answers nothing that could be told */
export type AskForSpdy = (protocols: readonly string[]) => Promise<SpdyAnswer>;

/** What a refusal says: the message of a status, or its text. */
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
