/** The schema's merge information of a field: strategy, merge key, and element type. */

import { goQuote } from '../scalars/go-quote.ts';
import { goTypeOf, shapeOf, shortNameOf } from '../shape.ts';
import { resolved, type ScalarType, type Type } from '../type.ts';
import { StrategicMergeError } from './error.ts';

export interface FieldMerge {
  readonly type: Type;
  /** `replace` for maps that are not merged, `merge` for lists that are; otherwise empty. */
  readonly strategy: 'merge' | 'replace' | '';
  /** Empty for lists of scalars. */
  readonly mergeKey: string;
}

/** @throws StrategicMergeError `unable to find api field in struct PodSpec for the json field "foo"` */
export function lookUpField(parent: Type, name: string): FieldMerge {
  const struct = resolved(parent);
  if (struct.form === 'scalar' && anyJson.has(struct.scalar)) throw unknownField(goTypeOf(struct), name);
  if (struct.form !== 'struct') {
    const kind = goTypeOf(struct)
      .replace(/^\[\].*/, 'slice')
      .replace(/^map.*/, 'map');
    throw new StrategicMergeError(
      `merging an object in json but data type is not struct, instead is: ${kind}`,
    );
  }
  const field = shapeOf(struct).byName.get(name)?.field;
  if (field === undefined) throw unknownField(shortNameOf(struct), name);
  const strategies = field.patch?.split(',') ?? [];
  return {
    type: field.type,
    strategy: strategies.includes('merge') ? 'merge' : strategies.includes('replace') ? 'replace' : '',
    mergeKey: field.patchKey ?? '',
  };
}

/** Structs upstream, without fields that JSON could name. */
const anyJson: ReadonlySet<string> = new Set<ScalarType['scalar']>(['rawExtension', 'any', 'fieldsV1']);

const unknownField = (goType: string, name: string): StrategicMergeError =>
  new StrategicMergeError(
    `unable to find api field in struct ${goType.replace(/^.*\./, '')} for the json field ${goQuote(name)}`,
  );

/** Like {@link lookUpField}, with the type of the list's elements. */
export function lookUpList(parent: Type, name: string): FieldMerge {
  const found = lookUpField(parent, name);
  const list = resolved(found.type);
  if (list.form !== 'list') {
    throw new StrategicMergeError(`expected slice or array type, but got: ${resolved(parent).form}`);
  }
  return { ...found, type: list.element };
}
