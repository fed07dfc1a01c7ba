/** Converts a user's OpenAPI file (`openapi.path`) to a merge schema. */
import { readYaml } from '@coxswain/apimachinery/yaml/read.ts';
import type { MergeField } from './builtin-definitions.ts';
import type { KnownKinds } from './merge-schema.ts';

type Json = Readonly<Record<string, unknown>>;

const isObject = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
const objectOf = (value: unknown): Json => (isObject(value) ? value : {});
const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');

export function readCustomSchema(text: string): KnownKinds {
  const kinds: Record<string, string> = {};
  const definitions: Record<string, Record<string, MergeField>> = {};
  for (const [name, definition] of Object.entries(objectOf(objectOf(readYaml(text))['definitions']))) {
    addDefinition(definitions, name, objectOf(definition));
    const gvks = objectOf(definition)['x-kubernetes-group-version-kind'];
    for (const gvk of Array.isArray(gvks) ? gvks.map(objectOf) : []) {
      const group = textOf(gvk['group']);
      kinds[`${group === '' ? '' : `${group}/`}${textOf(gvk['version'])}/${textOf(gvk['kind'])}`] = name;
    }
  }
  return { definitions, kinds };
}

/** Inline schemas become definitions of their own. */
function addDefinition(
  definitions: Record<string, Record<string, MergeField>>,
  name: string,
  schema: Json,
): void {
  const fields: Record<string, MergeField> = {};
  definitions[name] = fields;
  for (const [field, value] of Object.entries(objectOf(schema['properties']))) {
    const property = objectOf(value);
    const target = property['items'] === undefined ? property : objectOf(property['items']);
    const reference = textOf(target['$ref']).replace('#/definitions/', '');
    const of = reference === '' ? `${name}/${field}` : reference;
    if (reference === '') addDefinition(definitions, of, target);
    const strategy = textOf(property['x-kubernetes-patch-strategy']);
    const key = textOf(property['x-kubernetes-patch-merge-key']);
    const mapKeys = property['x-kubernetes-list-map-keys'];
    const keys = Array.isArray(mapKeys) ? mapKeys.map(textOf) : key === '' ? [] : [key];
    fields[field] = { of, ...(strategy === '' ? {} : { strategy, keys }) };
  }
}
