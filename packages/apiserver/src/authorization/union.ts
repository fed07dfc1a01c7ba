/** Asks authorizers one after the other until one has an opinion. */
import { aggregateText } from '@coxswain/apimachinery/field-error.ts';
import { askAuthorizer, type AuthorizationAttributes, type Authorizer, type Decision } from './authorizer.ts';

export const unionAuthorizer = (authorizers: readonly Authorizer[]): Authorizer =>
  authorizers.length === 1
    ? authorizers[0]!
    : { name: 'union', decide: (attributes) => firstOpinion(authorizers, 0, attributes, nothingKnown) };

interface Known {
  readonly reasons: readonly string[];
  readonly problems: readonly string[];
}

const nothingKnown: Known = { reasons: [], problems: [] };

function firstOpinion(
  authorizers: readonly Authorizer[],
  from: number,
  attributes: AuthorizationAttributes,
  before: Known,
): Decision | Promise<Decision> {
  let known = before;
  for (let at = from; at < authorizers.length; at++) {
    const decision = askAuthorizer(authorizers[at]!, attributes);
    if (decision instanceof Promise) {
      return decision.then((later) =>
        later.kind === 'no-opinion'
          ? firstOpinion(authorizers, at + 1, attributes, joined(known, later))
          : later,
      );
    }
    if (decision.kind !== 'no-opinion') return decision;
    known = joined(known, decision);
  }
  const { reasons, problems } = known;
  return {
    kind: 'no-opinion',
    reason: reasons.join('\n'),
    ...(problems.length > 0 ? { problem: aggregateText(problems) } : {}),
  };
}

const joined = (known: Known, { reason, problem }: Decision): Known =>
  reason === '' && problem === undefined
    ? known
    : {
        reasons: reason === '' ? known.reasons : [...known.reasons, reason],
        problems: problem === undefined ? known.problems : [...known.problems, problem],
      };
