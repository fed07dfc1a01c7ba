/** Applies a webhook's patch to the object. */
import {
  applyJsonPatch,
  goQuote,
  internalError,
  JsonPatchError,
  type JsonPatchOperation,
  type KubeObject,
} from '@coxswain/apimachinery';
import { semanticDeepEqual } from '@coxswain/apimachinery/deep-equal.ts';
import { messageOf } from '@coxswain/apimachinery/message-of.ts';
import { withinAllowance } from '@coxswain/apimachinery/work-allowance.ts';
import { defaultObject, withTypeMeta } from '@coxswain/apiserver/handlers/body/decode-body.ts';
import { DecodeError, decodeValue, parseJson, plainJson, typeMetaOfValue } from '@coxswain/schema';
import type { VersionedObjects } from '../versioned-objects.ts';
import type { AdmissionResponse } from './admission-review.ts';
import { CallFailure } from './call-webhook.ts';

export interface WebhookPatch {
  readonly operations: readonly JsonPatchOperation[];
  /** Including its version's defaults. */
  readonly object: KubeObject;
  readonly isChanged: boolean;
}

/**
 * Undefined without a patch.
 * @throws CallFailure for an invalid JSON patch, StatusError 500 for one that doesn't fit the object
 */
export function patchedByWebhook(
  webhook: string,
  write: VersionedObjects,
  { patch, patchType }: AdmissionResponse,
): WebhookPatch | undefined {
  if (!patch) return undefined;
  const operations = operationsIn(webhook, patch);
  if (operations.length === 0) return undefined;
  if (write.object === undefined) {
    throw internalError(
      `admission webhook ${goQuote(webhook)} attempted to modify the object, which is not supported for this operation`,
    );
  }
  if (patchType !== 'JSONPatch') {
    throw new CallFailure(webhook, `unsupported patch type ${goQuote(patchType ?? '')}`, 400);
  }
  const before = plainJson(parseJson(write.objectText()), 'all').value;
  const patched = withinAllowance(write.attributes.allowance, () => applied(before, operations));
  const object = decoded(write, patched);
  const isChanged = !semanticDeepEqual(decoded(write, before), object);
  defaultObject(write.form.kind, object, Date.parse(object.metadata.creationTimestamp ?? '') || 0);
  return { operations, object, isChanged };
}

/** The code for a failure without one. */
const unavailableCode = 503;

function operationsIn(webhook: string, patch: string): readonly JsonPatchOperation[] {
  try {
    return checkedOperations(plainJson(parseJson(bytesOf(patch)), 'all').value);
  } catch (failure) {
    const reason = `received undecodable patch in webhook response: ${messageOf(failure)}`;
    throw new CallFailure(webhook, reason, unavailableCode);
  }
}

const bytesOf = (base64: string): Uint8Array =>
  Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));

function checkedOperations(value: unknown): readonly JsonPatchOperation[] {
  if (value === null) return [];
  if (!Array.isArray(value)) throw wrongType(value, 'jsonpatch.Patch');
  return value.map((operation: unknown) => {
    if (operation === null) return {};
    if (typeof operation !== 'object' || Array.isArray(operation)) {
      throw wrongType(operation, 'jsonpatch.Operation');
    }
    return operation as JsonPatchOperation;
  });
}

function wrongType(value: unknown, type: string): Error {
  const found = Array.isArray(value) ? 'array' : typeof value;
  const name = found === 'boolean' ? 'bool' : found === 'bigint' ? 'number' : found;
  return new Error(`json: cannot unmarshal ${name} into Go value of type ${type}`);
}

function applied(before: unknown, operations: readonly JsonPatchOperation[]): unknown {
  try {
    return applyJsonPatch(before, operations);
  } catch (failure) {
    if (!(failure instanceof JsonPatchError)) throw failure;
    throw internalError(failure.message);
  }
}

/** Unknown members are dropped. @throws StatusError 500 */
function decoded({ form: { kind } }: VersionedObjects, value: unknown): KubeObject {
  try {
    const meta = typeMetaOfValue(value);
    const { object } = decodeValue(kind.type, value);
    // A typed object may omit its kind.
    const isOther = (given: string, own: string) => given !== own && (given !== '' || kind.type.isCustom);
    if (isOther(meta.kind, kind.kind) || isOther(meta.apiVersion, kind.apiVersion)) {
      throw internalError(
        `no kind ${goQuote(meta.kind || kind.kind)} is registered for version ${goQuote(meta.apiVersion || kind.apiVersion)} in scheme "pkg/runtime/scheme.go:111"`,
      );
    }
    return withTypeMeta(object as KubeObject, kind);
  } catch (failure) {
    if (failure instanceof DecodeError) throw internalError(failure.message);
    throw failure;
  }
}
