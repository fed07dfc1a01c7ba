/** The user to impersonate, from a request's `Impersonate-` headers. */
import { badRequest } from '@coxswain/apimachinery/errors.ts';
import { goQuote } from '@coxswain/apimachinery/go-quote.ts';
import { decodedKey } from '../../authentication/request-header.ts';
import type { ApiRequest } from '../../http/api-request.ts';

export interface WantedUser {
  readonly name: string;
  readonly uid: string;
  readonly groups: readonly string[];
  readonly extra: Readonly<Record<string, readonly string[]>>;
}

const extraPrefix = 'impersonate-extra-';

/** Undefined when the request does not impersonate. @throws StatusError 400 */
export function wantedUser(request: ApiRequest): WantedUser | undefined {
  const wanted = {
    name: request.headerValues('impersonate-user')[0] ?? '',
    uid: request.headerValues('impersonate-uid')[0] ?? '',
    groups: request.headerValues('impersonate-group'),
    extra: extraOf(request),
  };
  if (wanted.name !== '') return wanted;
  if (onlyNameGiven(wanted)) return undefined;
  throw badRequest(`requested ${goStruct(wanted)} without impersonating a user name`);
}

export const onlyNameGiven = ({ uid, groups, extra }: WantedUser): boolean =>
  uid === '' && groups.length === 0 && Object.keys(extra).length === 0;

function extraOf(request: ApiRequest): Record<string, readonly string[]> {
  const extra = Object.create(null) as Record<string, readonly string[]>;
  for (const header of Object.keys(request.headers)) {
    if (!header.startsWith(extraPrefix)) continue;
    extra[decodedKey(header.slice(extraPrefix.length))] = request.headerValues(header);
  }
  return { ...extra };
}

/** Formats the struct as Go prints it in upstream's message. */
function goStruct({ name, uid, groups, extra }: WantedUser): string {
  const members = Object.keys(extra)
    .sort()
    .map((key) => `${goQuote(key)}:${goList(extra[key]!)}`);
  const map =
    members.length === 0 ? 'map[string][]string(nil)' : `map[string][]string{${members.join(', ')}}`;
  return `&user.DefaultInfo{Name:${goQuote(name)}, UID:${goQuote(uid)}, Groups:${goList(groups)}, Extra:${map}}`;
}

const goList = (values: readonly string[]): string =>
  values.length === 0 ? '[]string(nil)' : `[]string{${values.map(goQuote).join(', ')}}`;
