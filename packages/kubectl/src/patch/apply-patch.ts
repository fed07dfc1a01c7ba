/** Applies a patch locally, without a server: for --local and --dry-run=client. */
import type { KubeObject } from '@coxswain/apimachinery';
import { applyJsonPatch, decodeJsonPatch } from '@coxswain/apimachinery/json-patch.ts';
import { applyMergePatch } from '@coxswain/apimachinery/merge-patch.ts';
import type { PatchType } from '../resource/resource-helper.ts';
import { applyStrategicPatch } from './strategic-apply.ts';
import type { PatchSchema } from './patch-schema.ts';

export function applyPatch(
  object: KubeObject,
  type: PatchType,
  patch: unknown,
  schema: PatchSchema,
): KubeObject {
  if (type === 'json') return applyJsonPatch(object, decodeJsonPatch(patch)) as KubeObject;
  if (type === 'merge') return applyMergePatch(object, patch) as KubeObject;
  return applyStrategicPatch(object, patch as Record<string, unknown>, schema) as KubeObject;
}
