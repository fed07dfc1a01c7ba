/** Authenticating proxies: they name the user in headers and identify themselves by a client certificate. */
import type { ApiRequest } from '../http/api-request.ts';
import type { UserInfo } from '../user.ts';
import { absent, refused, type Authenticator } from './authenticator.ts';
import type { Authorities } from './x509/authorities.ts';
import { readCertificate } from './x509/certificate.ts';

/** Header names; prefixes match all headers that begin with one. */
export interface RequestHeaderNames {
  readonly usernameHeaders: readonly string[];
  readonly uidHeaders: readonly string[];
  readonly groupHeaders: readonly string[];
  readonly extraHeaderPrefixes: readonly string[];
}

export interface RequestHeaderOptions extends RequestHeaderNames {
  /** Accepted common names of proxies; if empty, any certificate signed by `authorities`. */
  readonly allowedNames: readonly string[];
  readonly authorities: Authorities;
}

export function requestHeader(options: RequestHeaderOptions): Authenticator {
  const { authorities, allowedNames } = options;
  const names = lowerCase(options);
  return {
    name: 'request-header',
    authenticate(request) {
      const { certificate } = request.incoming.peer;
      if (certificate === undefined) return absent;
      const problem = authorities.problemOf(certificate, request.receivedAtMs);
      if (problem !== undefined) return refused(problem);
      if (allowedNames.length > 0) {
        const { commonName } = readCertificate(certificate.der);
        if (!allowedNames.includes(commonName)) {
          return refused(`x509: subject with cn=${commonName} is not in the allowed list`);
        }
      }
      const user = userIn(request, names);
      return user === undefined ? absent : { kind: 'authenticated', user };
    },
  };
}

const lowerCase = (names: RequestHeaderNames): RequestHeaderNames => ({
  usernameHeaders: names.usernameHeaders.map((name) => name.trim().toLowerCase()),
  uidHeaders: names.uidHeaders.map((name) => name.trim().toLowerCase()),
  groupHeaders: names.groupHeaders.map((name) => name.trim().toLowerCase()),
  extraHeaderPrefixes: names.extraHeaderPrefixes.map((name) => name.trim().toLowerCase()),
});

function userIn(request: ApiRequest, names: RequestHeaderNames): UserInfo | undefined {
  const name = firstOf(request, names.usernameHeaders);
  if (name === undefined) return undefined;
  const uid = firstOf(request, names.uidHeaders);
  const extra = extraOf(request, names.extraHeaderPrefixes);
  return {
    name,
    groups: names.groupHeaders.flatMap((header) =>
      request.headerValues(header).filter((value) => value !== ''),
    ),
    ...(uid === undefined ? undefined : { uid }),
    ...(Object.keys(extra).length === 0 ? undefined : { extra }),
  };
}

/** The value of the first header that is set; of repeated headers the first value. */
function firstOf(request: ApiRequest, headers: readonly string[]): string | undefined {
  for (const header of headers) {
    const value = request.headerValues(header)[0];
    if (value !== undefined && value !== '') return value;
  }
  return undefined;
}

function extraOf(request: ApiRequest, prefixes: readonly string[]): Record<string, readonly string[]> {
  const extra: Record<string, readonly string[]> = Object.create(null) as Record<string, readonly string[]>;
  for (const prefix of prefixes) {
    for (const header of Object.keys(request.headers)) {
      if (!header.startsWith(prefix)) continue;
      const key = decodedKey(header.slice(prefix.length));
      extra[key] = [...(extra[key] ?? []), ...request.headerValues(header)];
    }
  }
  return { ...extra };
}

/** Extra keys are percent-encoded in header names. */
export function decodedKey(key: string): string {
  try {
    return decodeURIComponent(key);
  } catch {
    return key;
  }
}
