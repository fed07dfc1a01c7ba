/** Applies a list of `JSONPatch{…}` to the object. */
import type { KubeObject } from '@coxswain/apimachinery';
import {
  applyJsonPatch,
  JsonPatchError,
  JsonPatchTestFailed,
  type JsonPatchOperation,
} from '@coxswain/apimachinery/json-patch.ts';
import { ListValue, misnamedTypes, ObjectValue, PatchOperation, toJson, type Value } from '@coxswain/cel';
import { MutationProblem } from './mutation-problem.ts';

/** Returns the object itself when a test operation fails. @throws MutationProblem */
export function patchedByJson(value: Value, object: KubeObject): unknown {
  const operations = (value as ListValue).items().map(operationOf);
  try {
    return applyJsonPatch(object, operations);
  } catch (failure) {
    if (failure instanceof JsonPatchTestFailed) return object;
    if (failure instanceof JsonPatchError) throw new MutationProblem(`JSON Patch: ${failure.message}`);
    throw failure;
  }
}

function operationOf(value: Value): JsonPatchOperation {
  if (!(value instanceof PatchOperation)) {
    throw new MutationProblem(
      'type mismatch: JSONPatchType.expression should evaluate to array of JSONPatch',
    );
  }
  const from = value.get('from');
  const part = value.keys().includes('value') ? value.get('value') : undefined;
  if (part instanceof ObjectValue) {
    const misnamed = misnamedTypes(part, [part.type.name]);
    if (misnamed.length > 0) throw new MutationProblem(`type mismatch: ${misnamed.join('\n')}`);
  }
  return {
    op: value.get('op'),
    path: value.get('path'),
    ...(from === '' ? {} : { from }),
    ...(part === undefined ? {} : { value: withTextForLarge(toJson(part)) }),
  };
}

/** Integers that JSON parsers would round become strings, as protobuf's JSON encodes them. */
function withTextForLarge(json: unknown): unknown {
  if (typeof json === 'bigint') return String(json);
  if (Array.isArray(json)) return json.map(withTextForLarge);
  if (typeof json !== 'object' || json === null) return json;
  return Object.fromEntries(Object.entries(json).map(([name, member]) => [name, withTextForLarge(member)]));
}
