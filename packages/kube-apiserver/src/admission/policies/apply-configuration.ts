/** Applies `Object{…}` to the object like server-side apply, but without owners. */
import type { KubeObject } from '@coxswain/apimachinery';
import { misnamedTypes, toJson, type Value } from '@coxswain/cel';
import type { Kind, Type } from '@coxswain/schema';
import {
  granularityOf,
  isDeduced,
  isObject,
  memberTypeOf,
  type MergeType,
} from '@coxswain/schema/structured-merge/granularity.ts';
import { mergeInto } from '@coxswain/schema/structured-merge/merge.ts';
import {
  ConfigurationError,
  nullOfExpression,
  validateConfiguration,
} from '@coxswain/schema/structured-merge/validate.ts';
import { MutationProblem } from './mutation-problem.ts';

/** @throws MutationProblem for an invalid configuration, or one that would replace more than it states */
export function appliedConfiguration(value: Value, object: KubeObject, kind: Kind): unknown {
  const misnamed = misnamedTypes(value);
  if (misnamed.length > 0) throw new MutationProblem(`type mismatch: ${misnamed.join('\n')}`);
  const { apiVersion, kind: name } = kind;
  const configuration = { ...(withOwnNulls(toJson(value)) as object), apiVersion, kind: name };
  try {
    validateConfiguration(kind.type, configuration);
  } catch (failure) {
    if (!(failure instanceof ConfigurationError)) throw failure;
    throw problem(`failed to convert patch object to typed object: ${failure.message}`);
  }
  const atomics = atomicPaths(kind.type, configuration, '');
  if (atomics.length > 0) {
    throw problem(
      `invalid ApplyConfiguration: may not mutate atomic arrays, maps or structs: ${atomics.join(', ')}`,
    );
  }
  return mergeInto(kind.type, object, configuration);
}

/** A null here differs from an omitted field. */
function withOwnNulls(json: unknown): unknown {
  if (json === null) return nullOfExpression;
  if (Array.isArray(json)) return json.map(withOwnNulls);
  if (!isObject(json)) return json;
  return Object.fromEntries(Object.entries(json).map(([name, member]) => [name, withOwnNulls(member)]));
}

const problem = (text: string): MutationProblem => new MutationProblem(`error applying patch: ${text}`);

/** Paths to atomic parts, which can only be replaced as a whole: setting one member would drop all others. */
function atomicPaths(type: MergeType, value: unknown, path: string): readonly string[] {
  const isList = Array.isArray(value);
  if (!isList && !isObject(value)) return [];
  const own = isAtomic(type, value) ? [path] : [];
  if (isList) {
    const element = elementTypeOf(type);
    if (element === undefined) return own;
    return [...own, ...value.flatMap((item, index) => atomicPaths(element, item, `${path}[${index}]`))];
  }
  if (isDeduced(type) || type.form !== 'struct') return own;
  const below = Object.entries(value).flatMap(([name, member]) => {
    const memberType = memberTypeOf(type, name);
    return memberType === undefined ? [] : atomicPaths(memberType, member, `${path}.${name}`);
  });
  return [...own, ...below];
}

/** Without a schema, maps are granular and lists atomic. */
const isAtomic = (type: MergeType, value: unknown): boolean =>
  isDeduced(type) ? Array.isArray(value) : granularityOf(type, value).kind === 'leaf';

const elementTypeOf = (type: MergeType): Type | undefined =>
  !isDeduced(type) && type.form === 'list' ? type.element : undefined;
