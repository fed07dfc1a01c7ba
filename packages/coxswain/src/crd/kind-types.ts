/**
 * Generates TypeScript for the kinds of CustomResourceDefinitions: a type for each, and a value to pass to `client.of`.
 */

interface Served {
  readonly spec: {
    readonly group: string;
    readonly scope: string;
    readonly names: { readonly kind: string; readonly plural: string };
    readonly versions: readonly {
      readonly name: string;
      readonly served: boolean;
      readonly storage: boolean;
      readonly schema?: { readonly openAPIV3Schema?: Schema };
    }[];
  };
}

export interface Schema {
  readonly type?: string;
  readonly description?: string;
  readonly enum?: readonly unknown[];
  readonly nullable?: boolean;
  readonly items?: Schema;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly additionalProperties?: Schema | boolean;
  readonly required?: readonly string[];
  readonly 'x-kubernetes-int-or-string'?: boolean;
}

/** Among several versions, the stored one gets the name of the kind; the others append their version. */
export function kindTypes(definitions: readonly Served[]): string {
  const kinds = definitions.flatMap(({ spec }) =>
    spec.versions
      .filter(({ served }) => served)
      .map((version) => kindText(spec, version, version.storage ? '' : capital(version.name))),
  );
  return `import type { KindRef } from '@coxswain/api';
import type { ObjectMeta } from '@coxswain/api/meta/v1';

${kinds.join('\n')}`;
}

function kindText(
  { group, scope, names: { kind, plural } }: Served['spec'],
  { name: version, schema }: Served['spec']['versions'][number],
  suffix: string,
): string {
  const { properties = {}, required = [], description } = schema?.openAPIV3Schema ?? {};
  const own = Object.entries(properties).filter(
    ([name]) => !['apiVersion', 'kind', 'metadata'].includes(name),
  );
  const name = `${kind}${suffix}`;
  const reference = {
    apiVersion: `${group}/${version}`,
    kind,
    names: { plural, namespaced: scope === 'Namespaced' },
  };
  return `${comment(description, '')}export interface ${name} {
  apiVersion: '${group}/${version}';
  kind: '${kind}';
  metadata: ObjectMeta;
${own.map(([member, type]) => memberText(member, type, required.includes(member), '  ')).join('')}}
export const ${name}: KindRef<${name}> = ${JSON.stringify(reference)};
`;
}

function memberText(name: string, schema: Schema, required: boolean, indent: string): string {
  const key = /^[A-Za-z_$][\w$]*$/.test(name) ? name : JSON.stringify(name);
  return `${comment(schema.description, indent)}${indent}${key}${required ? '' : '?'}: ${typeText(schema, indent)};\n`;
}

function typeText(schema: Schema, indent: string): string {
  const text = plainText(schema, indent);
  return schema.nullable === true ? `${text} | null` : text;
}

function plainText(schema: Schema, indent: string): string {
  const { type, items, properties, additionalProperties, required = [] } = schema;
  if (schema['x-kubernetes-int-or-string'] === true) return 'number | string';
  if (schema.enum !== undefined) return schema.enum.map((value) => JSON.stringify(value)).join(' | ');
  if (type === 'integer' || type === 'number') return 'number';
  if (type === 'string' || type === 'boolean') return type;
  if (type === 'array') {
    const element = items === undefined ? 'unknown' : typeText(items, indent);
    return /[|{]/.test(element) ? `Array<${element}>` : `${element}[]`;
  }
  if (properties !== undefined) {
    const inside = `${indent}  `;
    const members = Object.entries(properties).map(([name, each]) =>
      memberText(name, each, required.includes(name), inside),
    );
    return `{\n${members.join('')}${indent}}`;
  }
  if (typeof additionalProperties === 'object')
    return `Record<string, ${typeText(additionalProperties, indent)}>`;
  return type === 'object' ? 'Record<string, unknown>' : 'unknown';
}

/** A description must not be able to end the comment. */
const comment = (text: string | undefined, indent: string): string =>
  text === undefined || text === ''
    ? ''
    : `${indent}/** ${text.replaceAll('*/', '* /').replaceAll(/\s+/g, ' ')} */\n`;

const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);
