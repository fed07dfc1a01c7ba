/**
 * JSON patch as upstream applies it (evanphx/json-patch v4), which is more lenient than RFC 6902: the text before the
 * first slash of a path is ignored, indices may be negative, and a missing member can be replaced, copied (as null) and
 * tested against null.
 */

import { AllowanceSpent, currentAllowance } from './work-allowance.ts';
import { isRawNumber } from '@coxswain/schema/scalars/raw-number.ts';
import { deepClone, define } from './deep-clone.ts';
import { deepEqual } from './deep-equal.ts';
import { parseGoInteger } from './go-integer.ts';
import { goJson } from './go-quote.ts';
import { messageOf } from './message-of.ts';

/** One operation as received: its fields are checked when it is applied. */
export type JsonPatchOperation = Readonly<Record<string, unknown>>;

/** The maximum number of operations; beyond it nothing is applied. */
export const jsonPatchOperationsMax = 10_000;
/** The maximum bytes that a patch may copy if another thread can take over. */
const bytesCopiedHereMax = 32 * 1024;

/** The maximum bytes of JSON that all copy operations of a patch may add. */
export const jsonPatchCopyBytesMax = 3 * 1024 * 1024;

/** @throws Error with Go's message for anything but a list of objects */
export function decodeJsonPatch(patch: unknown): readonly JsonPatchOperation[] {
  if (patch === null) return [];
  if (!Array.isArray(patch)) throw new Error(cannotUnmarshal(patch, '[]handlers.jsonPatchOp'));
  return patch.map((operation: unknown) => {
    if (operation === null) return {};
    if (!isMembers(operation)) throw new Error(cannotUnmarshal(operation, 'handlers.jsonPatchOp'));
    return operation;
  });
}

/**
 * The patched document; `document` and everything in it are not modified.
 * @throws JsonPatchError when an operation fails
 */
export function applyJsonPatch(document: unknown, operations: readonly JsonPatchOperation[]): unknown {
  const patching = new Patching(document);
  for (const operation of operations) patching.apply(operation);
  return patching.root;
}

/** A failed operation, with upstream's message. The API responds with 422. */
export class JsonPatchError extends Error {
  override readonly name = 'JsonPatchError';
}

/** A `test` operation with a different value. */
export class JsonPatchTestFailed extends JsonPatchError {}

type Members = Record<string, unknown>;
type Container = Members | unknown[];

class Patching {
  root: unknown;
  /** Containers created here, which may be changed in place; all others are copied first. */
  readonly #owned = new Set<Container>();
  #bytesCopied = 0;

  constructor(document: unknown) {
    this.root = document;
  }

  apply(operation: JsonPatchOperation): void {
    currentAllowance()?.askLeave();
    const kind = typeof operation['op'] === 'string' ? operation['op'] : 'unknown';
    const act = Object.hasOwn(operationsByKind, kind) ? operationsByKind[kind] : undefined;
    if (act === undefined) throw new JsonPatchError(`Unexpected kind: ${kind}`);
    act(this, operation);
  }

  /** The last container of a path, made modifiable, and the last key; undefined when there is none. */
  find(path: string): { container: Container; key: string } | undefined {
    const [, ...parts] = path.split('/');
    if (parts.length === 0 || !isContainer(this.root)) return undefined;
    const key = decodeKey(parts.pop()!);
    let container = (this.root = this.#own(this.root));
    for (const part of parts.map(decodeKey)) {
      let next: unknown;
      try {
        next = valueAt(container, part);
      } catch {
        return undefined;
      }
      if (!isContainer(next)) return undefined;
      const owned = this.#own(next);
      store(container, part, owned);
      container = owned;
    }
    return { container, key };
  }

  countCopied(value: unknown): void {
    this.#bytesCopied += value === undefined ? 0 : goJson(value).length;
    // A small patch of a small object can create a large one.
    if (this.#bytesCopied > bytesCopiedHereMax && currentAllowance() !== undefined)
      throw new AllowanceSpent();
    if (this.#bytesCopied > jsonPatchCopyBytesMax) {
      throw new JsonPatchError(
        `Unable to complete the copy, the accumulated size increase of copy is ${this.#bytesCopied}, exceeding the limit ${jsonPatchCopyBytesMax}`,
      );
    }
  }

  #own(container: Container): Container {
    if (this.#owned.has(container)) return container;
    const copy = Array.isArray(container) ? [...container] : { ...container };
    this.#owned.add(copy);
    return copy;
  }
}

const operationsByKind: Readonly<
  Record<string, (patching: Patching, operation: JsonPatchOperation) => void>
> = {
  add(patching, operation) {
    const path = decodedPath(operation, 'add operation failed to decode path', true);
    const found = patching.find(path);
    if (!found) fail(`add operation does not apply: doc is missing path: "${path}": missing value`);
    within(`error in add for path: '${path}'`, () => add(found.container, found.key, valueOf(operation)));
  },

  remove(patching, operation) {
    const path = decodedPath(operation, 'remove operation failed to decode path', true);
    const found = patching.find(path);
    if (!found) fail(`remove operation does not apply: doc is missing path: "${path}": missing value`);
    within(`error in remove for path: '${path}'`, () => remove(found.container, found.key));
  },

  replace(patching, operation) {
    const path = decodedPath(operation, 'replace operation failed to decode path');
    if (path === '') {
      const value = valueOf(operation);
      if (!isContainer(value)) fail('replace operation value must be object or array: %!w(<nil>)');
      patching.root = value;
      return;
    }
    const found = patching.find(path);
    if (!found) fail(`replace operation does not apply: doc is missing path: ${path}: missing value`);
    try {
      valueAt(found.container, found.key);
    } catch {
      fail(`replace operation does not apply: doc is missing key: ${path}: missing value`);
    }
    store(found.container, found.key, valueOf(operation));
  },

  move(patching, operation) {
    const from = decodedFrom(operation, 'move operation failed to decode from');
    const source = patching.find(from);
    if (!source) fail(`move operation does not apply: doc is missing from path: ${from}: missing value`);
    const value = within(`error in move for path: '${source.key}'`, () => {
      const moved = valueAt(source.container, source.key);
      remove(source.container, source.key);
      return moved;
    });
    const path = decodedPath(operation, 'move operation failed to decode path');
    const target = patching.find(path);
    if (!target)
      fail(`move operation does not apply: doc is missing destination path: ${path}: missing value`);
    within(`error in move for path: '${path}'`, () => add(target.container, target.key, value ?? null));
  },

  copy(patching, operation) {
    const from = decodedFrom(operation, 'copy operation failed to decode from');
    const source = patching.find(from);
    if (!source) fail(`copy operation does not apply: doc is missing from path: ${from}: missing value`);
    const value = within(`error in copy for from: '${from}'`, () => valueAt(source.container, source.key));
    const path = decodedPath(operation, 'copy operation failed to decode path', true);
    const target = patching.find(path);
    if (!target)
      fail(`copy operation does not apply: doc is missing destination path: ${path}: missing value`);
    patching.countCopied(value);
    const copied = deepClone(value) ?? null;
    within('error while adding value during copy', () => add(target.container, target.key, copied));
  },

  test(patching, operation) {
    const path = decodedPath(operation, 'test operation failed to decode path');
    const expected = valueOf(operation);
    if (path === '') {
      if (!deepEqual(patching.root, expected)) throw testFailed(path);
      return;
    }
    const found = patching.find(path);
    if (!found) fail(`test operation does not apply: is missing path: ${path}: missing value`);
    const value = within(`error in test for path: '${path}'`, () => valueAt(found.container, found.key));
    if (!deepEqual(value ?? null, expected)) throw testFailed(path);
  },
};

const testFailed = (path: string): JsonPatchTestFailed =>
  new JsonPatchTestFailed(`testing value ${path} failed: test failed`);

function fail(message: string): never {
  throw new JsonPatchError(message);
}

function within<T>(context: string, body: () => T): T {
  try {
    return body();
  } catch (error) {
    throw new JsonPatchError(`${context}: ${messageOf(error)}`, { cause: error });
  }
}

/** An operation without a value sets null. */
const valueOf = (operation: JsonPatchOperation): unknown => operation['value'] ?? null;

function decodedPath(operation: JsonPatchOperation, failure: string, terse = false): string {
  const path = operation['path'];
  if (typeof path === 'string') return path;
  if (terse) fail(`${failure}: missing value`);
  fail(
    path === undefined || path === null
      ? `${failure}: operation missing path field: missing value`
      : `${failure}: ${cannotUnmarshal(path, 'string')}`,
  );
}

function decodedFrom(operation: JsonPatchOperation, failure: string): string {
  const from = operation['from'];
  if (typeof from === 'string') return from;
  fail(
    from === undefined || from === null
      ? `${failure}: operation, missing from field: missing value`
      : `${failure}: ${cannotUnmarshal(from, 'string')}`,
  );
}

const decodeKey = (part: string): string => part.replace(/~[01]/g, (escape) => (escape === '~1' ? '/' : '~'));

/** Undefined for a missing member. @throws Error for a missing index */
function valueAt(container: Container, key: string): unknown {
  if (!Array.isArray(container)) return Object.hasOwn(container, key) ? container[key] : undefined;
  return container[existingIndex(container, key)];
}

function existingIndex(items: readonly unknown[], key: string): number {
  const index = parseGoInteger(key);
  if (index >= items.length || index < -items.length) throw new Error(invalidIndex(index));
  return index < 0 ? index + items.length : index;
}

function add(container: Container, key: string, value: unknown): void {
  if (!Array.isArray(container)) return define(container, key, value);
  if (key === '-') return void container.push(value);
  const index = insertionIndex(key);
  const places = container.length + 1;
  if (index >= places || index < -places) throw new Error(invalidIndex(index));
  container.splice(index < 0 ? index + places : index, 0, value);
}

function insertionIndex(key: string): number {
  try {
    return parseGoInteger(key);
  } catch (error) {
    throw new Error(`value was not a proper array index: '${key}': ${messageOf(error)}`, {
      cause: error,
    });
  }
}

function remove(container: Container, key: string): void {
  if (Array.isArray(container)) return void container.splice(existingIndex(container, key), 1);
  if (!Object.hasOwn(container, key))
    throw new Error(`Unable to remove nonexistent key: ${key}: missing value`);
  delete container[key];
}

function store(container: Container, key: string, value: unknown): void {
  if (Array.isArray(container)) container[existingIndex(container, key)] = value;
  else define(container, key, value);
}

const invalidIndex = (index: number): string =>
  `Unable to access invalid index: ${index}: invalid index referenced`;

const isMembers = (value: unknown): value is Members =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
const isContainer = (value: unknown): value is Container =>
  typeof value === 'object' && value !== null && !isRawNumber(value);

function cannotUnmarshal(value: unknown, type: string): string {
  const kind = Array.isArray(value) ? 'array' : typeof value === 'boolean' ? 'bool' : typeof value;
  return `json: cannot unmarshal ${kind === 'bigint' ? 'number' : kind} into Go value of type ${type}`;
}
