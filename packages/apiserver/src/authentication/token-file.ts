/** `--token-auth-file`: CSV of token, user, uid and optional groups. */
import { absent } from './authenticator.ts';
import type { Authentication, TokenAuthenticator } from './authenticator.ts';
import { withAuthenticatedGroup } from './union.ts';

/** @throws Error telling the line that is not understood */
export function tokenFile(csv: string): TokenAuthenticator {
  const users = new Map<string, Authentication>();
  for (const [index, line] of csv.split(/\r?\n/).entries()) {
    if (line.trim() === '' || line.trimStart().startsWith('#')) continue;
    const fields = csvFields(line);
    if (fields.length < 3) {
      throw new Error(
        `token file line ${index + 1}: must have at least 3 columns (token, user name, user uid), found ${fields.length}`,
      );
    }
    const [token = '', name = '', uid = '', groups = ''] = fields;
    if (token === '') throw new Error(`token file line ${index + 1}: the token is empty`);
    const user = { name, uid, groups: groups === '' ? [] : groups.split(',') };
    users.set(token, { kind: 'authenticated', user: withAuthenticatedGroup(user) });
  }
  return { name: 'token-file', authenticateToken: (token) => users.get(token) ?? absent };
}

/** Fields of one line; quoted ones may hold commas, and quotes when doubled. */
function csvFields(line: string): string[] {
  const fields: string[] = [];
  const pattern = /\s*(?:"((?:[^"]|"")*)"|([^,]*))\s*(,|$)/gy;
  for (let match = pattern.exec(line); match !== null; match = pattern.exec(line)) {
    fields.push(match[1] === undefined ? match[2]!.trim() : match[1].replaceAll('""', '"'));
    if (match[3] === '') break;
  }
  return fields;
}
