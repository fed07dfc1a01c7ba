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
import { duplicateField } from '@coxswain/schema/json/plain.ts';
import { exactTree } from '@coxswain/schema/json/parsed.ts';
import { JsonObject, type JsonTree } from '@coxswain/schema/json/tree.ts';
import { writeTree } from '@coxswain/schema/json/write.ts';
import { badBody, finishPatch, liveObject, type PatchMechanism } from './mechanism.ts';
import { printedPatched, touchedByOperations, writtenObject } from './printed-patched.ts';

export const jsonPatch: PatchMechanism = {
  isFor: () => true,
  prepare(input) {
    return (live) => {
      const current = liveObject(input, live);
      const { operations, duplicates, texts } = operationsOf(input.bytes, input.object);
      let patched;
      try {
        patched = withinAllowance(input.request.allowance, () => applyJsonPatch(current, operations));
      } catch (failure) {
        if (failure instanceof JsonPatchError) throw refused(failure);
        throw failure;
      }
      const printed = () => {
        const marked = operations.map((operation, at) =>
          texts.has(at) ? { ...operation, value: markOf(at) } : operation,
        );
        const text = printedPatched(
          applyJsonPatch(writtenObject(input.scope.kind.type, current), marked),
          touchedByOperations(pointersOf(operations)),
        );
        return [...texts].reduce(
          (rest, [at, written]) => rest.replaceAll(JSON.stringify(markOf(at)), () => written),
          text,
        );
      };
      const problems = problemsOf(operations, duplicates);
      // Only the text has members twice, which a struct takes together.
      return finishPatch(
        input,
        current,
        patched,
        problems,
        printed,
        duplicates.length > 0 ? 'text' : undefined,
      );
    };
  },
};

/** Stands for a value whose text has members twice, which the original takes over as it is. */
const markOf = (at: number): string => `\0${at}`;

const pointersOf = (operations: readonly JsonPatchOperation[]): readonly string[] =>
  operations.flatMap(({ path, from }) => [path, from].filter((pointer) => typeof pointer === 'string'));

const knownMembers: ReadonlySet<string> = new Set(['op', 'path', 'from', 'value']);

/** The problems that strict validation reports, in the order of the text. */
function problemsOf(
  operations: readonly JsonPatchOperation[],
  duplicates: readonly string[],
): readonly string[] {
  const byOperation = byIndex(duplicates);
  return operations.flatMap((operation, index) =>
    Object.keys(operation).flatMap((member) => {
      const path = `[${index}].${member}`;
      const unknown = knownMembers.has(member) ? [] : [`json patch unknown field "${path}"`];
      const below = (byOperation.get(index) ?? []).filter((duplicate) => duplicate.startsWith(path));
      return [...unknown, ...below.map((duplicate) => `json patch ${duplicateField(duplicate)}`)];
    }),
  );
}

/** The paths of duplicate members by the operation they are in. */
const byIndex = (duplicates: readonly string[]): ReadonlyMap<number, readonly string[]> =>
  Map.groupBy(duplicates, (duplicate) => Number.parseInt(duplicate.slice(1), 10));

interface Operations {
  readonly operations: readonly JsonPatchOperation[];
  /** The paths of members that occur more than once. */
  readonly duplicates: readonly string[];
  /** By the index of an operation, the text of its value if that has duplicate members. */
  readonly texts: ReadonlyMap<number, string>;
}

function operationsOf(bytes: Uint8Array | undefined, object: unknown): Operations {
  let value;
  let duplicates: readonly string[] = [];
  let texts: ReadonlyMap<number, string> = new Map();
  try {
    const parsed = bytes === undefined ? undefined : parseJson(bytes);
    ({ value, duplicates } = parsed === undefined ? { value: object, duplicates } : plainJson(parsed, 'all'));
    if (duplicates.length > 0) texts = valueTexts(exactTree(parsed!.text), duplicates);
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
  return { operations, duplicates, texts };
}

function valueTexts(operations: JsonTree, duplicates: readonly string[]): ReadonlyMap<number, string> {
  const texts = new Map<number, string>();
  const byOperation = byIndex(duplicates);
  for (const [at, operation] of (Array.isArray(operations) ? operations : []).entries()) {
    if (!(operation instanceof JsonObject)) continue;
    const value = operation.values[operation.names.lastIndexOf('value')];
    const path = `[${at}].value`;
    const hasDuplicate = byOperation
      .get(at)
      ?.some((duplicate) => duplicate.startsWith(`${path}.`) || duplicate.startsWith(`${path}[`));
    if (value !== undefined && hasDuplicate === true) texts.set(at, writeTree(value));
  }
  return texts;
}

const refused = ({ message }: Error) =>
  genericServerResponse({ code: 422, verb: '', serverMessage: message });

/** Only values to write may be numbers. */
const ofOperation = (failure: unknown): unknown =>
  failure instanceof NumberError ? new NumberError(failure.text, 'struct field jsonPatchOp.value') : failure;
