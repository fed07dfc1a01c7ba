/** What expressions of mutating policies make: `Object{…}` with any fields, and `JSONPatch{…}`. */

import { CelError, dynType, stringType, structType, StructValue } from '@coxswain/cel';
import type { CelType, Value } from '@coxswain/cel';

const jsonPatchFields: Readonly<Record<string, CelType>> = {
  op: stringType,
  path: stringType,
  from: stringType,
  value: dynType,
};

/** Types of inner objects are named by the way to them: `Object.spec.template`. */
export const patchTypes = {
  findStruct: (name: string): CelType | undefined =>
    name === 'JSONPatch' || name === 'Object' || name.startsWith('Object.') ? structType(name) : undefined,
  findField: (structName: string, field: string): CelType | undefined =>
    structName === 'JSONPatch' ? jsonPatchFields[field] : dynType,
  construct: (structName: string, fields: ReadonlyMap<string, Value>): Value =>
    new PatchValue(structName, fields),
};

export class PatchValue extends StructValue {
  readonly type: CelType;
  readonly fields: ReadonlyMap<string, Value>;

  constructor(typeName: string, fields: ReadonlyMap<string, Value>) {
    super();
    this.type = structType(typeName);
    this.fields = fields;
  }

  get(field: string): Value {
    return this.fields.get(field) ?? new CelError(`no such key: ${field}`);
  }

  has(field: string): Value {
    return this.fields.has(field);
  }

  equals(other: Value): boolean {
    return other instanceof PatchValue && other === this;
  }

  override keys(): readonly string[] {
    return [...this.fields.keys()];
  }
}
