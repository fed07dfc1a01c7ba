/** Continue tokens in upstream's form: base64 of `{"v":"meta.k8s.io/v1","rv":7,"start":"a\u0000"}`. */
import { badRequest } from '@coxswain/apimachinery/errors.ts';
import { decode, DecodeError, int64, optional, string, struct, type Static } from '@coxswain/schema';

export interface ContinuePoint {
  /** Absent in tokens that continue an inconsistent list. */
  readonly revision: number | undefined;
  /** The next key, relative to the list's directory. */
  readonly start: string;
}

const tokenVersion = 'meta.k8s.io/v1';

/** Stands for the revision when a list continues at the newest one. */
const inconsistentRevision = -1;

export function encodeContinue({ revision, start }: ContinuePoint): string {
  const json = JSON.stringify({ v: tokenVersion, rv: revision ?? inconsistentRevision, start });
  let binary = '';
  for (const byte of new TextEncoder().encode(json)) binary += String.fromCharCode(byte);
  return btoa(binary).replaceAll('+', '-').replaceAll('/', '_').replace(/=+$/, '');
}

/** @throws StatusError 400 */
export function decodeContinue(token: string): ContinuePoint {
  const { v = '', rv = 0, start = '' } = parsedToken(token);
  if (v !== tokenVersion) throw refused(`server does not recognize this encoded version ${v}`);
  if (rv === 0) throw refused(`incorrect encoded start resourceVersion (version meta.k8s.io/v1)`);
  if (start === '') throw refused('encoded start key empty (version meta.k8s.io/v1)');
  if (!isClean(start)) throw refused(start);
  return {
    revision: rv < 0 ? undefined : rv,
    start: start.startsWith('/') ? start.slice(1) : start,
  };
}

/** Rejects paths that would leave the prefix. */
const isClean = (start: string): boolean =>
  start === '/' || !/(^|\/)\.{0,2}(\/|$)/.test(start.startsWith('/') ? start.slice(1) : start);

const tokenType = struct('storage.continueToken', {
  v: optional(1, string),
  rv: optional(2, int64),
  start: optional(3, string),
});

type Token = Partial<Static<typeof tokenType>>;

function parsedToken(token: string): Token {
  const bytes = decodedBase64(token);
  // Upstream examines bytes, and shows the first invalid one.
  if (bytes[0] !== undefined && bytes[0] >= 0x80) {
    throw refused(`invalid character '\\u00${bytes[0].toString(16)}' looking for beginning of value`);
  }
  try {
    return decode(tokenType, bytes).object as Token;
  } catch (failure) {
    if (failure instanceof DecodeError) throw refused(failure.message);
    throw failure;
  }
}

/** URL-safe base64 without padding; line breaks are ignored. */
function decodedBase64(text: string): Uint8Array {
  const token = text.replace(/[\r\n]/g, '');
  const bad = /[^A-Za-z0-9_-]/.exec(token);
  const at = bad === null ? (token.length % 4 === 1 ? token.length - 1 : -1) : bad.index;
  if (at >= 0) throw refused(`illegal base64 data at input byte ${at}`);
  return Uint8Array.from(atob(token.replaceAll('-', '+').replaceAll('_', '/')), (character) =>
    character.charCodeAt(0),
  );
}

const refused = (problem: string) =>
  badRequest(`invalid continue token: continue key is not valid: ${problem}`);
