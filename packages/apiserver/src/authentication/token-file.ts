/** `--token-auth-file`: CSV of token, user, uid and optional groups. */
import { absent, type Authentication, type TokenAuthenticator } from './authenticator.ts';
import { parseCsv } from './csv.ts';

export interface TokenFileOptions {
  /** For messages. */
  readonly path: string;
  readonly log?: (line: string) => void;
}

/** @throws Error with upstream's message */
export function tokenFile(csv: string, { path, log }: TokenFileOptions): TokenAuthenticator {
  const users = new Map<string, Authentication>();
  for (const [index, record] of parseCsv(csv).entries()) {
    if (record.length < 3) {
      throw new Error(
        `token file '${path}' must have at least 3 columns (token, user name, user uid), found ${record.length}`,
      );
    }
    const [token = '', name = '', uid = '', groups] = record;
    const place = `in token file '${path}', record number '${index + 1}'`;
    if (token === '') {
      log?.(`empty token has been found ${place}`);
      continue;
    }
    if (users.has(token)) log?.(`duplicate token has been found ${place}`);
    const user = { name, uid, groups: groups === undefined ? [] : groups.split(',') };
    users.set(token, { kind: 'authenticated', user });
  }
  return { name: 'token-file', authenticateToken: (token) => users.get(token) ?? absent };
}
