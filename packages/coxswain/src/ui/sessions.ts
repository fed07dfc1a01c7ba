/** Tokens, each good for one browser, and the sessions that began with them. Only digests of either are kept. */

import { createHash, randomBytes } from 'node:crypto';

/** The oldest goes. */
const keptMax = 64;

const digestOf = (secret: string): string => createHash('sha256').update(secret).digest('hex');

export class Sessions {
  readonly #tokens = new Set<string>();
  readonly #sessions = new Set<string>();

  newToken(): string {
    return newSecret(this.#tokens);
  }

  /** What the browser is known by from now on; undefined for a token that is none, or was used. */
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
