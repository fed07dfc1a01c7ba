/** Validates embedded objects in custom resources (`x-kubernetes-embedded-resource`), which must state their type. */
import { Errors } from '../meta/checks.ts';
import {
  FieldPath,
  apiVersionProblem,
  checkDns1035Label,
  invalidError,
  requiredError,
  type FieldError,
  type ObjectMeta,
} from '@coxswain/apimachinery';
import type { StructuralSchema } from '@coxswain/schema/custom/compile.ts';
import { pathSegmentName, validateObjectMeta } from '../meta/object-meta-validation.ts';

type Members = Readonly<Record<string, unknown>>;

/** Schemas stay the same as long as their definition does. */
const haveEmbedded = new WeakMap<StructuralSchema, boolean>();

/** Errors of all embedded objects at any depth, not of the whole object. */
export function embeddedErrors(schema: StructuralSchema, value: unknown, path = ''): readonly FieldError[] {
  if (!hasEmbedded(schema)) return [];
  if (Array.isArray(value)) {
    const items = itemsOf(schema);
    return items === undefined
      ? []
      : value.flatMap((item, index) => embeddedErrors(items, item, `${path}[${index}]`));
  }
  if (!isObject(value)) return [];
  const { properties, additionalProperties } = schema;
  const own = schema['x-kubernetes-embedded-resource'] ? objectErrors(value, FieldPath.of(path)) : [];
  const within = Object.entries(value).flatMap(([name, member]) => {
    if (properties && Object.hasOwn(properties, name)) {
      return embeddedErrors(properties[name]!, member, path === '' ? name : `${path}.${name}`);
    }
    return typeof additionalProperties === 'object'
      ? embeddedErrors(additionalProperties, member, `${path}[${name}]`)
      : [];
  });
  return [...own, ...within];
}

function hasEmbedded(schema: StructuralSchema): boolean {
  let found = haveEmbedded.get(schema);
  if (found === undefined) {
    const { properties, additionalProperties } = schema;
    const below = [itemsOf(schema), additionalProperties, ...Object.values(properties ?? {})];
    found =
      schema['x-kubernetes-embedded-resource'] === true ||
      below.some((each) => typeof each === 'object' && hasEmbedded(each));
    haveEmbedded.set(schema, found);
  }
  return found;
}

function objectErrors(object: Members, path: FieldPath): readonly FieldError[] {
  const missing = ['apiVersion', 'kind'].filter((name) => !Object.hasOwn(object, name));
  const metaErrors = new Errors();
  if (isObject(object['metadata'])) {
    const meta = object['metadata'] as ObjectMeta;
    const rules = { name: pathSegmentName, namespaced: (meta.namespace ?? '') !== '', coreFinalizers: false };
    // It need not have a name.
    validateObjectMeta({ ...meta, name: meta.name || 'fakename' }, rules, metaErrors, path.child('metadata'));
  }
  return [
    ...missing.map((name) => requiredError(path.child(name))),
    ...textErrors(object, 'apiVersion', path, (text) => {
      const problem = apiVersionProblem(text);
      return problem === undefined ? [] : [problem];
    }),
    ...textErrors(object, 'kind', path, (text) => {
      const problems = checkDns1035Label(text.toLowerCase());
      return problems.length === 0
        ? []
        : [`may have mixed case, but should otherwise match: ${problems.join(',')}`];
    }),
    ...metaErrors,
  ];
}

function textErrors(
  object: Members,
  name: string,
  path: FieldPath,
  check: (text: string) => readonly string[],
): readonly FieldError[] {
  if (!Object.hasOwn(object, name)) return [];
  const value = object[name];
  const at = path.child(name);
  if (typeof value !== 'string') return [invalidError(at, value, 'must be a string')];
  if (value === '') return [invalidError(at, value, 'must not be empty')];
  return check(value).map((problem) => invalidError(at, value, problem));
}

const itemsOf = ({ items }: StructuralSchema): StructuralSchema | undefined =>
  Array.isArray(items) ? undefined : (items as StructuralSchema | undefined);

const isObject = (value: unknown): value is Members =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
