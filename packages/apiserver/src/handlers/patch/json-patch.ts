/** JSON Patch (RFC 6902), as lenient as upstream. */
import {
  applyJsonPatch,
  badRequest,
  decodeJsonPatch,
  genericServerResponse,
  JsonPatchError,
  jsonPatchOperationsMax,
  requestEntityTooLarge,
  type JsonPatchOperation,
} from '@coxswain/apimachinery';
import { withinAllowance } from '@coxswain/apimachinery/work-allowance.ts';
import { messageOf } from '@coxswain/apimachinery/message-of.ts';
import { parseJson, plainJson } from '@coxswain/schema';
import { NumberError } from '@coxswain/schema/json/decode-error.ts';
import { badBody, finishPatch, liveObject, type PatchMechanism } from './mechanism.ts';
import { printedPatched, touchedByOperations, writtenObject } from './printed-patched.ts';

export const jsonPatch: PatchMechanism = {
  isFor: () => true,
  prepare(input) {
    return (live) => {
      const current = liveObject(input, live);
      const operations = operationsOf(input.bytes, input.object);
      let patched;
      try {
        patched = withinAllowance(input.request.allowance, () => applyJsonPatch(current, operations));
      } catch (failure) {
        if (failure instanceof JsonPatchError) throw refused(failure);
        throw failure;
      }
      const printed = () =>
        printedPatched(
          applyJsonPatch(writtenObject(input.scope.kind.type, current), operations),
          touchedByOperations(pointersOf(operations)),
        );
      return finishPatch(input, current, patched, unknownMembers(operations), printed);
    };
  },
};

const pointersOf = (operations: readonly JsonPatchOperation[]): readonly string[] =>
  operations.flatMap(({ path, from }) => [path, from].filter((pointer) => typeof pointer === 'string'));

const knownMembers: ReadonlySet<string> = new Set(['op', 'path', 'from', 'value']);

/** The members that strict decoding reports. */
const unknownMembers = (operations: readonly JsonPatchOperation[]): readonly string[] =>
  operations.flatMap((operation, index) =>
    Object.keys(operation)
      .filter((member) => !knownMembers.has(member))
      .map((member) => `json patch unknown field "[${index}].${member}"`),
  );

function operationsOf(bytes: Uint8Array | undefined, object: unknown): readonly JsonPatchOperation[] {
  let value;
  try {
    value = bytes === undefined ? object : plainJson(parseJson(bytes), 'all').value;
  } catch (failure) {
    throw badBody(ofOperation(failure), 'error decoding patch: ');
  }
  let operations;
  try {
    operations = decodeJsonPatch(value);
  } catch (failure) {
    throw badRequest(`error decoding patch: ${messageOf(failure)}`);
  }
  if (operations.length > jsonPatchOperationsMax) {
    throw requestEntityTooLarge(
      `The allowed maximum operations in a JSON patch is ${jsonPatchOperationsMax}, got ${operations.length}`,
    );
  }
  return operations;
}

const refused = ({ message }: Error) =>
  genericServerResponse({ code: 422, verb: '', serverMessage: message });

/** Only values to write may be numbers. */
const ofOperation = (failure: unknown): unknown =>
  failure instanceof NumberError ? new NumberError(failure.text, 'struct field jsonPatchOp.value') : failure;
