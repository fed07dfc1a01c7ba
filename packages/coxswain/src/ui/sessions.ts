/** One-time sign-in tokens and the browser sessions started with them. Only digests of both are kept. */

import { createHash, randomBytes } from 'node:crypto';

/** Beyond this number, the oldest is dropped. */
const keptMax = 64;

const digestOf = (secret: string): string => createHash('sha256').update(secret).digest('hex');

export class Sessions {
  readonly #tokens = new Set<string>();
  readonly #sessions = new Set<string>();

  newToken(): string {
    return newSecret(this.#tokens);
  }

  /** Returns the session ID for the browser; undefined for a token that is invalid or was already used. */
  begin(token: string): string | undefined {
    return this.#tokens.delete(digestOf(token)) ? newSecret(this.#sessions) : undefined;
  }

  has(session: string): boolean {
    return this.#sessions.has(digestOf(session));
  }
}

function newSecret(kept: Set<string>): string {
  const secret = randomBytes(24).toString('base64url');
  kept.add(digestOf(secret));
  const [oldest = ''] = kept;
  if (kept.size > keptMax) kept.delete(oldest);
  return secret;
}
