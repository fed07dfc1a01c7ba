/** Derives the schema of a part of a custom resource from its declared type. */

import type { DocComment } from './doc-comment.ts';
import type { Declaration, Member, TypeNode } from './declared-types.ts';

export type Schema = { readonly [key: string]: unknown };

export type Declared = ReadonlyMap<string, Declaration>;

const simple: Readonly<Record<string, Schema>> = {
  string: { type: 'string' },
  number: { type: 'number' },
  boolean: { type: 'boolean' },
  Date: { type: 'string', format: 'date-time' },
  unknown: { 'x-kubernetes-preserve-unknown-fields': true },
  object: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true },
};

/** Tags whose value is a number, and tags whose value is text. */
const numbers = [
  'minimum',
  'maximum',
  'minLength',
  'maxLength',
  'minItems',
  'maxItems',
  'minProperties',
  'maxProperties',
];
const texts = ['format', 'pattern'];

/** @param above the types that contain this one. @throws Error naming what has no schema */
export function schemaOf(type: TypeNode, declared: Declared, above: readonly string[] = []): Schema {
  switch (type.form) {
    case 'literal':
      return { type: typeof type.value, enum: [type.value] };
    case 'list':
      return { type: 'array', items: schemaOf(type.element, declared, above) };
    case 'object':
      return objectSchema(type, declared, above);
    case 'union':
      return unionSchema(type.options, declared, above);
    case 'name':
      return namedSchema(type.name, type.args, declared, above);
  }
}

function namedSchema(
  name: string,
  args: readonly TypeNode[],
  declared: Declared,
  above: readonly string[],
): Schema {
  const [first, second] = args;
  if ((name === 'Array' || name === 'ReadonlyArray') && first !== undefined)
    return { type: 'array', items: schemaOf(first, declared, above) };
  if (name === 'Record' && second !== undefined)
    return { type: 'object', additionalProperties: schemaOf(second, declared, above) };
  const known = Object.hasOwn(simple, name) ? simple[name] : undefined;
  if (known !== undefined) return known;
  const declaration = declared.get(name);
  if (declaration === undefined) throw new Error(`the type ${name} is not declared in these files`);
  if (above.includes(name)) throw new Error(`the type ${name} contains itself, which no schema can say`);
  return {
    ...described(declaration.comment),
    ...schemaOf(withParents(declaration, declared), declared, [...above, name]),
    ...constraints(declaration.comment),
  };
}

/** Adds the inherited members. */
function withParents({ parents, type }: Declaration, declared: Declared): TypeNode {
  if (type.form !== 'object' || parents.length === 0) return type;
  const inherited = parents.flatMap((name): readonly Member[] => {
    const parent = declared.get(name);
    if (parent === undefined) throw new Error(`the type ${name} is not declared in these files`);
    const whole = withParents(parent, declared);
    return whole.form === 'object' ? whole.members : [];
  });
  return { ...type, members: [...inherited, ...type.members] };
}

function objectSchema(
  { members, values }: TypeNode & { readonly form: 'object' },
  declared: Declared,
  above: readonly string[],
): Schema {
  if (values !== undefined)
    return { type: 'object', additionalProperties: schemaOf(values, declared, above) };
  const properties = members.map(({ name, type, comment }): [string, Schema] => [
    name,
    { ...schemaOf(type, declared, above), ...described(comment), ...constraints(comment) },
  ]);
  const required = members.filter(({ optional }) => !optional).map(({ name }) => name);
  return {
    type: 'object',
    ...(required.length > 0 && { required }),
    properties: Object.fromEntries(properties),
  };
}

const isNamed = (type: TypeNode, name: string): boolean => type.form === 'name' && type.name === name;

function unionSchema(options: readonly TypeNode[], declared: Declared, above: readonly string[]): Schema {
  const nullable = options.some((each) => isNamed(each, 'null')) ? { nullable: true } : {};
  const rest = options.filter((each) => !isNamed(each, 'null') && !isNamed(each, 'undefined'));
  if (rest.length === 1) return { ...schemaOf(rest[0]!, declared, above), ...nullable };
  if (rest.length === 2 && ['string', 'number'].every((name) => rest.some((each) => isNamed(each, name))))
    return { 'x-kubernetes-int-or-string': true, ...nullable };
  const values = rest.flatMap((each) => (each.form === 'literal' ? [each.value] : []));
  const types = new Set(values.map((value) => typeof value));
  if (values.length < rest.length || types.size !== 1)
    throw new Error('a union must be of literals of one kind, of string and number, or of a type and null');
  return { type: [...types][0], enum: values, ...nullable };
}

const described = ({ description }: DocComment): Schema => (description === '' ? {} : { description });

function constraints({ tags }: DocComment): Schema {
  const value = (name: string): string | undefined => tags.get(name)?.at(-1);
  const given = (names: readonly string[], read: (text: string) => unknown): Schema =>
    Object.fromEntries(names.flatMap((name) => (tags.has(name) ? [[name, read(value(name)!)]] : [])));
  const rules = tags.get('rule')?.map((text) => {
    const [rule, message] = text.split(' :: ');
    return { rule, ...(message !== undefined && { message }) };
  });
  return {
    ...(tags.has('integer') && { type: 'integer' }),
    ...given(numbers, Number),
    ...given(texts, String),
    ...given(['default'], parsed),
    ...(rules !== undefined && { 'x-kubernetes-validations': rules }),
  };
}

/** Parses JSON; other text is returned unchanged. */
function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
