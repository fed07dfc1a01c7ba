/** Authorizers asked one after the other, until one has an opinion. */
import type { AuthorizationAttributes, Authorizer, Decision } from './authorizer.ts';

export const unionAuthorizer = (authorizers: readonly Authorizer[]): Authorizer =>
  authorizers.length === 1
    ? authorizers[0]!
    : { name: 'union', decide: (attributes) => ask(authorizers, 0, attributes, '') };

function ask(
  authorizers: readonly Authorizer[],
  from: number,
  attributes: AuthorizationAttributes,
  reasons: string,
): Decision | Promise<Decision> {
  let known = reasons;
  for (let at = from; at < authorizers.length; at++) {
    const decision = authorizers[at]!.decide(attributes);
    if (decision instanceof Promise) {
      return decision.then((later) =>
        later.kind === 'no-opinion'
          ? ask(authorizers, at + 1, attributes, joined(known, later.reason))
          : later,
      );
    }
    if (decision.kind !== 'no-opinion') return decision;
    known = joined(known, decision.reason);
  }
  return { kind: 'no-opinion', reason: known };
}

const joined = (known: string, reason: string): string =>
  known === '' ? reason : reason === '' ? known : `${known}\n${reason}`;
