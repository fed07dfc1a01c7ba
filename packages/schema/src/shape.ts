/** A struct as JSON has it: members of embedded structs are part of their parent. */

import { resolved, type Field, type StructType, type Type } from './type.ts';

export interface Member {
  readonly name: string;
  readonly field: Field;
  /** Its position in the output. */
  readonly index: number;
  /** The Go names of the embedded structs that contain it, which old messages show. */
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

/** The Go field's name: as stated, or the capitalized JSON name. */
export const goNameOf = (name: string, field: Field): string =>
  field.go ?? name.charAt(0).toUpperCase() + name.slice(1);

/** `PodSpec` of `core/v1.PodSpec`. */
export const shortNameOf = (struct: StructType): string =>
  struct.name.slice(struct.name.lastIndexOf('.') + 1);

/** The Go type as in error messages: `[]v1.Container`, `map[string]string`, `int32`. */
export function goTypeOf(type: Type): string {
  const actual = resolved(type);
  if (actual.form !== 'struct' && actual.goName !== undefined) return actual.goName;
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

/** Data about a struct's members, by position. */
export interface Placed {
  readonly name: string;
  readonly index: number;
}

/** The members that an object has, in declared order; undefined when it has an unknown one. */
export function presentMembers<M extends Placed>(
  object: object,
  byName: ReadonlyMap<string, M>,
): M[] | undefined {
  const present: M[] = [];
  for (const name in object) {
    const member = byName.get(name);
    if (member === undefined) return undefined;
    let at = present.length;
    for (; at > 0 && present[at - 1]!.index > member.index; at--) present[at] = present[at - 1]!;
    present[at] = member;
  }
  return present;
}

/** For each index the next member from there on for which `isFilled` holds; the length at the end. */
export function nextFilled<M>(members: readonly M[], isFilled: (member: M) => boolean): Int32Array {
  const next = new Int32Array(members.length + 2).fill(members.length);
  for (let index = members.length - 1; index >= 0; index--) {
    next[index] = isFilled(members[index]!) ? index : next[index + 1]!;
  }
  return next;
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
