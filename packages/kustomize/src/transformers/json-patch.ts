/** Applies JSON patches to resources. */
import {
  applyJsonPatch,
  decodeJsonPatch,
  type JsonPatchOperation,
} from '@coxswain/apimachinery/json-patch.ts';
import { messageOf } from '@coxswain/apimachinery/message-of.ts';
import { readYaml } from '@coxswain/apimachinery/yaml/read.ts';
import { survivesJsonPatch } from '../resources/annotations.ts';
import { annotationsOf, setAnnotations } from '../resources/metadata.ts';
import type { Resource } from '../resources/resource.ts';
import { become } from '../yaml/node.ts';
import { fromJson } from '../yaml/json.ts';

/** @throws Error if the text is not a list of operations */
export function readJsonPatch(text: string): readonly JsonPatchOperation[] {
  if (text === '') throw new Error('empty json patch operations');
  return decodeJsonPatch(text.startsWith('[') ? readJson(text) : readYaml(text));
}

function readJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (failure) {
    throw new Error(`invalid JSON: ${messageOf(failure)}`, { cause: failure });
  }
}

/** Internal annotations are preserved, whatever the patch does to annotations. */
export function patchWithJson(resource: Resource, operations: readonly JsonPatchOperation[]): void {
  const known = Object.entries(annotationsOf(resource.node)).filter(([key]) => survivesJsonPatch(key));
  become(resource.node, fromJson(withFloats(applyJsonPatch(resource.toJson(), operations))));
  setAnnotations(resource.node, { ...annotationsOf(resource.node), ...Object.fromEntries(known) });
}

/** Patched objects have no integers beyond the precision of a float64. */
function withFloats(value: unknown): unknown {
  if (typeof value === 'bigint') return Number(value);
  if (Array.isArray(value)) return value.map(withFloats);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, withFloats(one)]));
}
