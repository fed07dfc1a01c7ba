/** The tree of a kind's fields for `kubectl explain`. */

import { shapeOf, shortNameOf } from '../shape.ts';
import { resolved, type Field, type StructType, type Type } from '../type.ts';
import { definitionName } from './names.ts';

export interface ExplainedField {
  readonly name: string;
  /** `string`, `[]Container`, `map[string]string`, `PodSpec` */
  readonly type: string;
  readonly isRequired: boolean;
  readonly values: readonly string[];
  /** The struct in the field, or in its lists and maps. */
  readonly struct: StructType | undefined;
}

/** A struct's fields, sorted by name. */
export const explainedFields = (struct: StructType): readonly ExplainedField[] =>
  shapeOf(struct)
    .members.map(({ name, field }) => explained(name, field))
    .sort((a, b) => (a.name < b.name ? -1 : 1));

/** The field at a path such as `['spec', 'containers']`; undefined when there is none. */
export function fieldAt(struct: StructType, path: readonly string[]): ExplainedField | undefined {
  let parent: StructType | undefined = struct;
  let found: ExplainedField | undefined;
  for (const name of path) {
    const member: Field | undefined = parent && shapeOf(parent).byName.get(name)?.field;
    if (member === undefined) return undefined;
    found = explained(name, member);
    parent = found.struct;
  }
  return found;
}

/** The key of descriptions. */
export const descriptionKeyOf = (struct: StructType): string => definitionName(struct.name);

function explained(name: string, field: Field): ExplainedField {
  const element = elementOf(field.type);
  return {
    name,
    type: typeText(field.type),
    isRequired: field.required === true,
    values: element.form === 'scalar' ? (element.values ?? []) : [],
    struct: element.form === 'struct' ? element : undefined,
  };
}

function elementOf(type: Type): ReturnType<typeof resolved> {
  const actual = resolved(type);
  if (actual.form === 'list') return elementOf(actual.element);
  return actual.form === 'map' ? elementOf(actual.value) : actual;
}

function typeText(type: Type): string {
  const actual = resolved(type);
  switch (actual.form) {
    case 'list':
      return `[]${typeText(actual.element)}`;
    case 'map':
      return `map[string]${typeText(actual.value)}`;
    case 'struct':
      return actual.name === '' ? 'Object' : shortNameOf(actual);
    case 'scalar':
      return scalarTexts[actual.scalar] ?? 'Object';
  }
}

const scalarTexts: Readonly<Record<string, string>> = {
  string: 'string',
  bytes: 'string',
  bool: 'boolean',
  int32: 'integer',
  int64: 'integer',
  float64: 'number',
  quantity: 'Quantity',
  intOrString: 'IntOrString',
  time: 'Time',
  microTime: 'MicroTime',
  duration: 'Duration',
  fieldsV1: 'FieldsV1',
  rawExtension: 'RawExtension',
};
