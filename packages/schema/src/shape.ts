/** A struct as JSON shows it: embedded structs are part of their parent. */

import { resolved } from './type.ts';
import type { Field, StructType, Type } from './type.ts';

export interface Member {
  readonly name: string;
  readonly field: Field;
  /** Its place in the output. */
  readonly index: number;
  /** Go names of the embedded structs it comes through; old messages show them. */
  readonly embeddedIn: readonly string[];
}

export interface Shape {
  readonly struct: StructType;
  readonly members: readonly Member[];
  readonly byName: ReadonlyMap<string, Member>;
}

/** Computed once per struct. */
export function shapeOf(struct: StructType): Shape {
  const known = shapes.get(struct);
  if (known !== undefined) return known;
  const members: Member[] = [];
  addMembers(struct, [], members);
  const shape = { struct, members, byName: new Map(members.map((member) => [member.name, member])) };
  shapes.set(struct, shape);
  return shape;
}

/** The Go field's name: as stated, or the JSON name with a capital. */
export const goNameOf = (name: string, field: Field): string =>
  field.go ?? name.charAt(0).toUpperCase() + name.slice(1);

/** `PodSpec` of `core/v1.PodSpec`. */
export const shortNameOf = (struct: StructType): string =>
  struct.name.slice(struct.name.lastIndexOf('.') + 1);

/** The Go type, as error messages show it: `[]v1.Container`, `map[string]string`, `int32`. */
export function goTypeOf(type: Type): string {
  const actual = resolved(type);
  switch (actual.form) {
    case 'struct':
      return goStructOf(actual);
    case 'list':
      return `[]${goTypeOf(actual.element)}`;
    case 'map':
      return `map[string]${goTypeOf(actual.value)}`;
    case 'scalar':
      return goScalars[actual.scalar] ?? actual.scalar;
  }
}

const shapes = new WeakMap<StructType, Shape>();

function addMembers(struct: StructType, embeddedIn: readonly string[], members: Member[]): void {
  for (const [name, field] of Object.entries(struct.fields)) {
    if (field.presence === 'embedded') {
      addMembers(resolved(field.type) as StructType, [...embeddedIn, goNameOf(name, field)], members);
    } else {
      members.push({ name, field, index: members.length, embeddedIn });
    }
  }
}

/** `v1.PodSpec` of `core/v1.PodSpec`. */
const goStructOf = (struct: StructType): string =>
  struct.name === '' ? 'map[string]interface {}' : struct.name.slice(struct.name.lastIndexOf('/') + 1);

const goScalars: Readonly<Record<string, string>> = {
  bytes: '[]uint8',
  quantity: 'resource.Quantity',
  intOrString: 'intstr.IntOrString',
  time: 'v1.Time',
  microTime: 'v1.MicroTime',
  duration: 'v1.Duration',
  rawExtension: 'runtime.RawExtension',
  fieldsV1: 'v1.FieldsV1',
  any: 'interface {}',
};
