/** An object's neighbours: each differs from it in one place, as the kind's schema knows the places. */
import { resolved, type Fields, type Type } from '@coxswain/schema';
import { samplesOf } from './samples.ts';

export interface Mutation {
  /** `spec.ports[0].port = -1`, `spec.ports deleted` */
  readonly label: string;
  readonly object: unknown;
}

type Replace = (value: unknown) => unknown;

/** What stands for a member that is taken out. */
const gone = Symbol('gone');

/** Members absent from the object are given samples down to this many levels. */
const absentDepth = 2;

/** `top` names the members to change (`spec`); all but type and object meta when empty. */
export function* mutationsOf(type: Type, object: object, top: readonly string[] = []): Generator<Mutation> {
  const isWanted = (name: string) =>
    top.length === 0 ? !['kind', 'apiVersion', 'metadata', 'status'].includes(name) : top.includes(name);
  for (const { path, value } of mutate(type, object, '', (changed) => changed, isWanted)) {
    yield { label: path, object: value };
  }
}

interface Mutated {
  readonly path: string;
  readonly value: unknown;
}

function* mutate(
  type: Type,
  value: unknown,
  path: string,
  replace: Replace,
  isWanted: (name: string) => boolean = () => true,
): Generator<Mutated> {
  const actual = resolved(type);
  if (actual.form === 'struct' && isObject(value)) {
    yield* mutateMembers(flatFields(actual.fields), value, path, replace, isWanted);
  } else if (actual.form === 'list' && Array.isArray(value)) {
    yield* mutateElements(actual.element, value, path, replace);
  } else if (actual.form === 'map' && isObject(value)) {
    yield* mutateEntries(actual.value, value, path, replace);
  } else if (actual.form === 'scalar') {
    yield* given(path, samplesOf(actual, 0), replace, value);
  }
}

function* mutateMembers(
  fields: Fields,
  value: Readonly<Record<string, unknown>>,
  path: string,
  replace: Replace,
  isWanted: (name: string) => boolean,
): Generator<Mutated> {
  for (const [name, field] of Object.entries(fields)) {
    if (!isWanted(name)) continue;
    const at = path === '' ? name : `${path}.${name}`;
    const put: Replace = (child) => replace(withMember(value, name, child));
    if (name in value) {
      yield { path: `${at} deleted`, value: put(gone) };
      yield* mutate(field.type, value[name], at, put);
    } else {
      yield* given(at, samplesOf(field.type, absentDepth), put);
    }
  }
  const at = path === '' ? 'bogus' : `${path}.bogus`;
  if (isWanted('bogus')) yield { path: at, value: replace({ ...value, bogus: 1 }) };
}

function* mutateElements(
  element: Type,
  value: readonly unknown[],
  path: string,
  replace: Replace,
): Generator<Mutated> {
  yield { path: `${path} emptied`, value: replace([]) };
  if (value.length === 0)
    return yield* given(path, samplesOf({ ...emptyList, element }, absentDepth), replace);
  yield { path: `${path}[0] doubled`, value: replace([...value, value[0]]) };
  yield { path: `${path}[0] deleted`, value: replace(value.slice(1)) };
  if (value.length > 1) yield { path: `${path} reversed`, value: replace(value.toReversed()) };
  for (const [i, child] of value.entries()) {
    yield* mutate(element, child, `${path}[${i}]`, (changed) => replace(value.with(i, changed)));
  }
}

const emptyList = { form: 'list', merge: 'atomic', mergeDeclared: false, keys: [] } as const;

function* mutateEntries(
  element: Type,
  value: Readonly<Record<string, unknown>>,
  path: string,
  replace: Replace,
): Generator<Mutated> {
  yield { path: `${path} emptied`, value: replace({}) };
  const [first] = Object.values(value);
  for (const key of ['', 'Not Valid!', 'example.com/a', `${'a'.repeat(64)}`]) {
    const added = first ?? samplesOf(element, 0)[1];
    yield { path: `${path}[${key}] added`, value: replace({ ...value, [key]: added }) };
  }
  for (const [key, child] of Object.entries(value)) {
    yield { path: `${path}[${key}] deleted`, value: replace(withMember(value, key, gone)) };
    yield* mutate(element, child, `${path}[${key}]`, (changed) => replace(withMember(value, key, changed)));
  }
}

function* given(
  path: string,
  samples: readonly unknown[],
  replace: Replace,
  now?: unknown,
): Generator<Mutated> {
  for (const sample of samples) {
    if (sample === now) continue;
    yield { path: `${path} = ${shortened(JSON.stringify(sample))}`, value: replace(sample) };
  }
}

const shortened = (text: string): string => (text.length <= 60 ? text : `${text.slice(0, 60)}…`);

const withMember = (value: Readonly<Record<string, unknown>>, name: string, child: unknown): unknown => {
  const { [name]: _old, ...rest } = value;
  return child === gone ? rest : { ...rest, [name]: child };
};

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Members with those of embedded structs. */
const flatFields = (fields: Fields): Fields =>
  Object.fromEntries(
    Object.entries(fields).flatMap(([name, field]) => {
      const type = resolved(field.type);
      return field.presence === 'embedded' && type.form === 'struct'
        ? Object.entries(flatFields(type.fields))
        : [[name, field]];
    }),
  );
