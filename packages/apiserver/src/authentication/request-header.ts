/** The front proxy: names the user in headers, and shows by its own certificate that it may. */
import type { ApiRequest } from '../http/api-request.ts';
import type { UserInfo } from '../user.ts';
import { absent } from './authenticator.ts';
import type { Authenticator } from './authenticator.ts';
import { withAuthenticatedGroup } from './union.ts';

export interface RequestHeaderOptions {
  readonly usernameHeaders: readonly string[];
  readonly uidHeaders: readonly string[];
  readonly groupHeaders: readonly string[];
  readonly extraHeaderPrefixes: readonly string[];
  /** Common names of proxies; none: any certificate of `trusts`. */
  readonly allowedNames: readonly string[];
  /** Whether a certificate (DER) chains to the proxies' authority. */
  readonly trusts: (der: Uint8Array) => boolean;
}

export const requestHeader = (options: RequestHeaderOptions): Authenticator => ({
  name: 'request-header',
  authenticate(request) {
    const name = firstOf(request, options.usernameHeaders);
    const { certificate } = request.incoming.peer;
    if (name === undefined || certificate === undefined || !options.trusts(certificate.der)) return absent;
    if (options.allowedNames.length > 0 && !options.allowedNames.includes(certificate.commonName)) {
      return {
        kind: 'refused',
        reason: `x509: subject with cn=${certificate.commonName} is not in the allowed list`,
      };
    }
    const uid = firstOf(request, options.uidHeaders);
    const user: UserInfo = {
      name,
      groups: options.groupHeaders.flatMap((header) => allOf(request, header)),
      extra: extraOf(request, options.extraHeaderPrefixes),
      ...(uid === undefined ? undefined : { uid }),
    };
    return { kind: 'authenticated', user: withAuthenticatedGroup(user) };
  },
});

const allOf = (request: ApiRequest, header: string): readonly string[] => {
  const value = request.headers[header.toLowerCase()];
  return value === undefined ? [] : typeof value === 'string' ? value.split(/,\s*/) : value;
};

function firstOf(request: ApiRequest, headers: readonly string[]): string | undefined {
  for (const header of headers) {
    const value = request.header(header.toLowerCase());
    if (value !== undefined && value !== '') return value;
  }
  return undefined;
}

function extraOf(request: ApiRequest, prefixes: readonly string[]): Record<string, readonly string[]> {
  const extra: Record<string, readonly string[]> = {};
  for (const header of Object.keys(request.headers)) {
    const prefix = prefixes.find((one) => header.startsWith(one.toLowerCase()));
    if (prefix !== undefined) extra[decodedKey(header.slice(prefix.length))] = allOf(request, header);
  }
  return extra;
}

/** Extra keys are percent-encoded in header names. */
export function decodedKey(key: string): string {
  try {
    return decodeURIComponent(key);
  } catch {
    return key;
  }
}
