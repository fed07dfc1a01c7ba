/** Validating and mutating webhooks as functions of an AdmissionReview, independent of the transport. */

import {
  isStatusError,
  type GroupVersionKind,
  type GroupVersionResource,
  type KubeObject,
} from '@coxswain/apimachinery';
import { messageOf } from '@coxswain/apimachinery/message-of.ts';
import type { KindRef } from '@coxswain/client';
import { jsonPatchBetween } from './json-patch-between.ts';

/** An admission request. `operation` determines which objects are present. */
export type AdmissionRequest<T = KubeObject> = Asked &
  (
    | { readonly operation: 'CREATE'; readonly object: T; readonly oldObject: null }
    | { readonly operation: 'UPDATE'; readonly object: T; readonly oldObject: T }
    | { readonly operation: 'DELETE'; readonly object: null; readonly oldObject: T }
    /** The object contains the options of the connection: `PodExecOptions`. */
    | { readonly operation: 'CONNECT'; readonly object: T; readonly oldObject: null }
  );

interface Asked {
  readonly uid: string;
  readonly kind: GroupVersionKind;
  readonly resource: GroupVersionResource;
  readonly subResource?: string;
  readonly name?: string;
  readonly namespace?: string;
  readonly userInfo: { readonly username?: string; readonly groups?: readonly string[] };
  readonly dryRun?: boolean;
  readonly options?: unknown;
}

/** `undefined` means allowed. */
export interface Verdict {
  readonly allowed: boolean;
  readonly message?: string;
  readonly reason?: string;
  /** The status code of the response to the client. Defaults to 403. */
  readonly code?: number;
  readonly warnings?: readonly string[];
}

/**
 * Allows the request, with warnings for its sender.
 * @example
 * const handler = validating(Widget, () => allowed('spec.size is deprecated'));
 */
export const allowed = (...warnings: readonly string[]): Verdict => ({ allowed: true, warnings });
/**
 * Denies the request with status 403 and this message.
 * @example
 * const handler = validating(Widget, ({ operation }) => (operation === 'DELETE' ? denied('widgets stay') : undefined));
 */
export const denied = (message: string, ...warnings: readonly string[]): Verdict => ({
  allowed: false,
  message,
  reason: 'Forbidden',
  code: 403,
  warnings,
});

/** Returns the response body for a request body. @throws BadReview if the body is not a review */
export type WebhookHandler = (body: unknown) => Promise<unknown>;

/** The request body is not a review. The server responds with status 400. */
export class BadReview extends Error {
  override readonly name = 'BadReview';
}

/** A request that stores an object. */
export type WriteRequest<T = KubeObject> = Extract<
  AdmissionRequest<T>,
  { readonly operation: 'CREATE' | 'UPDATE' }
>;

type Answer<R> = R | Promise<R>;

/**
 * Creates a handler of validating webhooks. `kind` only determines the types; which objects are sent depends on the
 * webhook configuration.
 * @example
 * const handler = validating(Widget, ({ object, userInfo }) =>
 *   (object?.spec?.size ?? 0) > 10 ? denied(`${userInfo.username} may not have so many`) : undefined,
 * );
 */
export const validating =
  <T>(
    _kind: KindRef<T>,
    judge: (request: AdmissionRequest<T & KubeObject>) => Answer<Verdict | void>,
  ): WebhookHandler =>
  (body) =>
    review<T>(body, async (request) => responseOf((await judge(request)) ?? allowed()));

/**
 * Creates a handler of mutating webhooks. The function returns the desired object, from which the patch is computed, or
 * nothing, or a verdict. It is called only for objects that are to be stored: a deletion has nothing to change, and is
 * allowed.
 * @example
 * const handler = mutating(Widget, ({ object }) => ({ ...object, spec: { size: 1, ...object.spec } }));
 */
export const mutating =
  <T>(
    _kind: KindRef<T>,
    mutate: (request: WriteRequest<T & KubeObject>) => Answer<(T & KubeObject) | Verdict | void>,
  ): WebhookHandler =>
  (body) =>
    review<T>(body, async (request) => {
      if (request.operation !== 'CREATE' && request.operation !== 'UPDATE') return responseOf(allowed());
      // The function may modify its argument and return it.
      const before = structuredClone(request.object);
      const answer = await mutate(request);
      if (answer === undefined || answer === null) return responseOf(allowed());
      if ('allowed' in answer) return responseOf(answer as Verdict);
      const patch = jsonPatchBetween(before, answer);
      if (patch.length === 0) return responseOf(allowed());
      return { allowed: true, patchType: 'JSONPatch', patch: base64(JSON.stringify(patch)) };
    });

async function review<T>(
  body: unknown,
  decide: (request: AdmissionRequest<T & KubeObject>) => Promise<object>,
): Promise<unknown> {
  const { apiVersion, kind, request } = (body ?? {}) as {
    apiVersion?: unknown;
    kind?: unknown;
    request?: AdmissionRequest<T & KubeObject>;
  };
  if (kind !== 'AdmissionReview' || typeof request?.uid !== 'string')
    throw new BadReview('the body is not an AdmissionReview');
  const response = await decide(request).catch((error: unknown) => responseOf(failureOf(error)));
  return { apiVersion, kind, response: { uid: request.uid, ...response } };
}

function responseOf({ allowed: isAllowed, message, reason, code, warnings = [] }: Verdict): object {
  const status = { ...(message ? { message } : {}), ...(reason ? { reason } : {}), code: code ?? 403 };
  return {
    allowed: isAllowed,
    ...(isAllowed ? {} : { status }),
    ...(warnings.length > 0 ? { warnings } : {}),
  };
}

function failureOf(error: unknown): Verdict {
  if (isStatusError(error))
    return { allowed: false, message: error.message, reason: error.reason, code: error.code };
  return {
    allowed: false,
    message: messageOf(error),
    reason: 'InternalError',
    code: 500,
  };
}

function base64(text: string): string {
  return btoa(Array.from(new TextEncoder().encode(text), (byte) => String.fromCharCode(byte)).join(''));
}
