/** RFC 7386. */
import { applyMergePatch, badRequest } from '@coxswain/apimachinery';
import { exactTree, jsonKindOf, parseJson } from '@coxswain/schema';
import { badBody, finishPatch, liveObject } from './mechanism.ts';
import type { PatchInput, PatchMechanism } from './mechanism.ts';

export const mergePatch: PatchMechanism = {
  isFor: () => true,
  prepare(input) {
    return (live) => {
      const current = liveObject(input, live);
      const patch = patchOf(input);
      let patched;
      try {
        patched = applyMergePatch(current, patch);
      } catch (failure) {
        throw badRequest((failure as Error).message);
      }
      return finishPatch(input, current, patched, []);
    };
  },
};

function patchOf({ bytes, object, options }: PatchInput): unknown {
  if (bytes === undefined) return object;
  const { value } = parsedPatch(bytes, 'error decoding patch: ');
  const isStrict = options.fieldValidation !== 'Ignore';
  if (isStrict && value !== null && (typeof value !== 'object' || Array.isArray(value))) {
    throw badRequest(
      `error decoding patch: json: cannot unmarshal ${jsonKindOf(value)} into Go value of type map[string]interface {}`,
    );
  }
  return value;
}

/** @throws StatusError 400 */
export function parsedPatch(bytes: Uint8Array, prefix: string) {
  try {
    const parsed = parseJson(bytes);
    if (parsed.members < 0) exactTree(parsed.text);
    return parsed;
  } catch (failure) {
    throw badBody(failure, prefix);
  }
}
