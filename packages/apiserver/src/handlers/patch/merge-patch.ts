/** JSON Merge Patch (RFC 7386). */
import { applyMergePatch, badRequest } from '@coxswain/apimachinery';
import { messageOf } from '@coxswain/apimachinery/message-of.ts';
import { jsonKindOf, parseJson, plainJson } from '@coxswain/schema';
import type { PlainJson } from '@coxswain/schema/json/plain.ts';
import { badBody, finishPatch, liveObject, type PatchInput, type PatchMechanism } from './mechanism.ts';
import { printedPatched, touchedByMerge, writtenObject } from './printed-patched.ts';

export const mergePatch: PatchMechanism = {
  isFor: () => true,
  prepare(input) {
    return (live) => {
      const current = liveObject(input, live);
      const { value: patch, problems } = patchOf(input);
      let patched;
      try {
        patched = applyMergePatch(current, patch);
      } catch (failure) {
        throw badRequest(messageOf(failure));
      }
      const printed = () =>
        printedPatched(
          applyMergePatch(writtenObject(input.scope.kind.type, current), patch),
          touchedByMerge(patch),
        );
      return finishPatch(input, current, patched, problems, printed);
    };
  },
};

function patchOf({ bytes, object, options }: PatchInput): PlainJson {
  if (bytes === undefined) return { value: object, duplicates: [], problems: [] };
  const parsed = parsedPatch(bytes, 'all', 'error decoding patch: ');
  const { value } = parsed;
  const isStrict = options.fieldValidation !== 'Ignore';
  if (isStrict && value !== null && (typeof value !== 'object' || Array.isArray(value))) {
    throw badRequest(
      `error decoding patch: json: cannot unmarshal ${jsonKindOf(value)} into Go value of type map[string]interface {}`,
    );
  }
  return parsed;
}

/** Parses plain values and reports duplicate members. @throws StatusError 400 */
export function parsedPatch(bytes: Uint8Array, digits: 'all' | 'integers', prefix: string): PlainJson {
  try {
    return plainJson(parseJson(bytes), digits);
  } catch (failure) {
    throw badBody(failure, prefix);
  }
}
