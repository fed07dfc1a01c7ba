/** `kubectl patch` without a server, for --local and --dry-run=client, based on the built-in types. */
import type { KubeObject } from '@coxswain/apimachinery';
import { applyJsonPatch, decodeJsonPatch } from '@coxswain/apimachinery/json-patch.ts';
import { applyMergePatch } from '@coxswain/apimachinery/merge-patch.ts';
import { jsonKindOf } from '@coxswain/schema';
import { applyStrategicMergePatch } from '@coxswain/schema/strategic-merge.ts';
import { builtInKind } from '../typed.ts';
import type { PatchType } from '../resource/resource-helper.ts';

/** @param patch undefined for invalid JSON @throws Error describing what is wrong */
export async function patchHere(object: KubeObject, type: PatchType, patch: unknown): Promise<KubeObject> {
  if (type === 'json') {
    if (!Array.isArray(patch))
      throw new Error(`json: cannot unmarshal ${jsonKindOf(patch)} into Go value of type jsonpatch.Patch`);
    return applyJsonPatch(object, decodeJsonPatch(patch)) as KubeObject;
  }
  if (type === 'merge') return applyMergePatch(object, patch) as KubeObject;
  const kind = await builtInKind(object);
  if (kind === undefined) {
    throw new Error(
      `strategic merge patch is not supported for ${object.apiVersion}, Kind=${object.kind} locally, try --type merge`,
    );
  }
  if (typeof patch !== 'object' || patch === null || Array.isArray(patch))
    throw new Error('invalid JSON document');
  return applyStrategicMergePatch(kind.type, object, patch) as unknown as KubeObject;
}
