/** Wraps authenticators that know no audiences: their users are assumed to be meant for this server. */
import { absent, type Authentication, type TokenAuthenticator } from './authenticator.ts';

/** @param implicit the server's own audiences */
export function audienceAgnostic(implicit: readonly string[], inner: TokenAuthenticator): TokenAuthenticator {
  /** Requests always ask for the server's own audiences, so one value per user suffices. */
  const known = new WeakMap<Authentication, Authentication>();
  return {
    name: inner.name,
    authenticateToken(token, audiences) {
      if (audiences.length === 0) return inner.authenticateToken(token, audiences);
      const shared = audiences === implicit ? implicit : intersection(implicit, audiences);
      if (shared.length === 0) return absent;
      const meant = (found: Authentication): Authentication => {
        if (found.kind !== 'authenticated') return found;
        if (shared !== implicit) return { ...found, audiences: shared };
        let later = known.get(found);
        if (later === undefined) known.set(found, (later = { ...found, audiences: shared }));
        return later;
      };
      const found = inner.authenticateToken(token, audiences);
      return found instanceof Promise ? found.then(meant) : meant(found);
    },
  };
}

/** Keeps the duplicates of `wanted`. */
export const intersection = (known: readonly string[], wanted: readonly string[]): readonly string[] =>
  wanted.filter((audience) => known.includes(audience));
