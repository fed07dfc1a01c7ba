/** A policy with compiled expressions: compiled once for each state of its object. */
import {
  PolicyExpressions,
  resultTypes,
  type CompiledExpression,
} from '@coxswain/api/admissionregistration/expression-compilation.ts';
import { matchConditions, type MatchConditions } from '../match-conditions.ts';
import type { AdmissionPolicy, Mutation, MutatingPolicy, ValidatingPolicy } from './policy-objects.ts';

export interface PolicyExpression {
  /** The source text, which messages quote. */
  readonly text: string;
  readonly compiled: CompiledExpression;
}

export interface PolicyProgram {
  readonly conditions: MatchConditions;
  readonly variables: ReadonlyMap<string, CompiledExpression>;
}

export interface ValidatingProgram extends PolicyProgram {
  readonly validations: readonly PolicyExpression[];
  /** One entry per validation; undefined for a literal message. */
  readonly messages: readonly (PolicyExpression | undefined)[];
  readonly annotations: readonly PolicyExpression[];
}

export interface MutatingProgram extends PolicyProgram {
  readonly mutations: readonly PolicyMutation[];
}

export interface PolicyMutation {
  readonly kind: 'applyConfiguration' | 'jsonPatch';
  readonly expression: PolicyExpression;
}

/** Stored objects are never modified, so the same object has the same spec. */
const validatingPrograms = new WeakMap<ValidatingPolicy, ValidatingProgram>();
const mutatingPrograms = new WeakMap<MutatingPolicy, MutatingProgram>();

export function validatingProgram(policy: ValidatingPolicy): ValidatingProgram {
  let program = validatingPrograms.get(policy);
  if (program === undefined) validatingPrograms.set(policy, (program = compileValidating(policy)));
  return program;
}

export function mutatingProgram(policy: MutatingPolicy): MutatingProgram {
  let program = mutatingPrograms.get(policy);
  if (program === undefined) mutatingPrograms.set(policy, (program = compileMutating(policy)));
  return program;
}

function compileValidating(policy: ValidatingPolicy): ValidatingProgram {
  const { validations = [], auditAnnotations = [], paramKind } = policy.spec;
  const scope = { params: paramKind != null, authorizer: true };
  const { expressions, ...program } = compileShared(policy);
  const compile = (text: string, types: (typeof resultTypes)[keyof typeof resultTypes]) => ({
    text,
    compiled: expressions.compile(text, scope, types),
  });
  return {
    ...program,
    validations: validations.map(({ expression }) => compile(expression, resultTypes.condition)),
    messages: validations.map(({ messageExpression: text }) =>
      text === undefined || text === ''
        ? undefined
        : { text, compiled: expressions.compile(text, { ...scope, authorizer: false }, resultTypes.message) },
    ),
    annotations: auditAnnotations.map(({ valueExpression }) =>
      compile(valueExpression, resultTypes.annotation),
    ),
  };
}

function compileMutating(policy: MutatingPolicy): MutatingProgram {
  const { mutations = [], paramKind } = policy.spec;
  const scope = { params: paramKind != null, authorizer: true, patches: true };
  const { expressions, ...program } = compileShared(policy);
  return {
    ...program,
    mutations: mutations.map((mutation) => {
      const kind = kindOf(mutation);
      const text = mutation[kind]?.expression ?? '';
      return { kind, expression: { text, compiled: expressions.compile(text, scope, resultTypes[kind]) } };
    }),
  };
}

const kindOf = ({ patchType }: Mutation): PolicyMutation['kind'] =>
  patchType === 'JSONPatch' ? 'jsonPatch' : 'applyConfiguration';

function compileShared({ spec }: AdmissionPolicy): PolicyProgram & { expressions: PolicyExpressions } {
  const { variables = [], matchConditions: conditions = [], failurePolicy, paramKind } = spec;
  const scope = { params: paramKind != null, authorizer: true };
  const expressions = new PolicyExpressions(true);
  return {
    expressions,
    variables: new Map(
      variables.map(({ name, expression }) => [name, expressions.addVariable(name, expression, scope)]),
    ),
    conditions: matchConditions(conditions, failurePolicy, { params: scope.params }),
  };
}
