/** Strategic merge patch: lists are merged by the strategy of the kind's schema. */
import { badRequest, genericServerResponse, StatusError } from '@coxswain/apimachinery';
import { jsonKindOf, restoreValue } from '@coxswain/schema';
import { goFloat } from '@coxswain/schema/scalars/go-quote.ts';
import { goValue } from '@coxswain/schema/scalars/go-value.ts';
import {
  applyStrategicMergePatch,
  spentStrategicPatch,
  StrategicMergeError,
} from '@coxswain/schema/strategic-merge.ts';
import { parsedPatch } from './merge-patch.ts';
import type { ResourceScope } from '../../services/resource-scope.ts';
import { finishPatch, liveObject, type PatchInput, type PatchMechanism } from './mechanism.ts';

export const strategicPatch: PatchMechanism = {
  isFor: ({ isCustom }) => !isCustom,
  prepare(input) {
    return (live) => {
      const current = liveObject(input, live);
      const { patch, problems } = patchOf(input);
      let patched;
      try {
        patched = applyStrategicMergePatch(input.scope.kind.type, current, patch);
      } catch (failure) {
        if (failure instanceof StrategicMergeError) throw refused(failure);
        throw failure;
      }
      const printed = () => goValue(spentStrategicPatch(input.scope.kind.type, current, patch), numberText);
      const known = unchangedSpec(input.scope, current, patched);
      return finishPatch(input, current, patched, problems, printed, (type, value) =>
        restoreValue(type, value, known),
      );
    };
  },
};

/** Integers are not parsed as doubles here. */
const numberText = (value: number): string => (Number.isSafeInteger(value) ? String(value) : goFloat(value));

/** A write of the status leaves the spec alone: the new object keeps the spec of the live one. */
function unchangedSpec({ subresource }: ResourceScope, live: object, patched: unknown): object | undefined {
  const spec = (live as { spec?: unknown }).spec;
  if (subresource !== 'status' || typeof spec !== 'object' || spec === null) return undefined;
  return (patched as { spec?: unknown }).spec === spec ? spec : undefined;
}

function patchOf({ bytes, object }: PatchInput): { patch: object; problems: readonly string[] } {
  const { value, problems } =
    bytes === undefined ? { value: object, problems: [] } : parsedPatch(bytes, 'integers', '');
  if (value === null) return { patch: {}, problems };
  if (typeof value !== 'object' || Array.isArray(value)) {
    throw badRequest(
      `json: cannot unmarshal ${jsonKindOf(value)} into Go value of type map[string]interface {}`,
    );
  }
  return { patch: value as object, problems };
}

function refused({ problem, message }: StrategicMergeError): StatusError {
  if (problem === 'format') return badRequest(message);
  if (problem === 'content') return genericServerResponse({ code: 422, verb: '', serverMessage: message });
  return new StatusError(500, '', message);
}
