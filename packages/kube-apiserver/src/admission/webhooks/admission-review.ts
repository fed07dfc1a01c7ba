/** AdmissionReview: the request to a webhook, as upstream writes it, and the validation of its response. */
import { AdmissionReview as ReviewV1, type AdmissionReview } from '@coxswain/api/admission/v1/index.ts';
import { AdmissionReview as ReviewV1beta1 } from '@coxswain/api/admission/v1beta1.ts';
import { goQuote } from '@coxswain/apimachinery';
import { writeAny } from '@coxswain/schema/json/write.ts';
import type { Kind } from '@coxswain/schema';
import { answeredKind } from '../../webhooks/answered-kind.ts';
import { reviewedUser } from '../expression-variables.ts';
import type { VersionedObjects } from '../versioned-objects.ts';
import type { Webhook } from './webhook.ts';

export type AdmissionResponse = NonNullable<AdmissionReview['response']>;

const kinds: Readonly<Record<string, Kind>> = { v1: ReviewV1, v1beta1: ReviewV1beta1 };

/** The first version that both sides support. @throws Error when there is none */
export function reviewKindFor({ reviewVersions }: Webhook): Kind {
  const version = reviewVersions.find((one) => Object.hasOwn(kinds, one));
  if (version === undefined) {
    throw new Error('webhook does not accept known AdmissionReview versions (v1, v1beta1)');
  }
  return kinds[version]!;
}

/** The text of the request, with members in upstream's order. */
export function reviewText({ apiVersion }: Kind, uid: string, write: VersionedObjects): string {
  const { attributes, matched } = write;
  const { subresource, name, namespace, operation, dryRun, kind, resource } = attributes;
  const members: readonly (readonly [string, string | undefined])[] = [
    ['uid', writeAny(uid)],
    ['kind', writeAny(inOrder(matched.kind, ['group', 'version', 'kind']))],
    ['resource', writeAny(inOrder(matched.resource, ['group', 'version', 'resource']))],
    ['subResource', textOf(subresource)],
    ['requestKind', writeAny(inOrder(kind, ['group', 'version', 'kind']))],
    ['requestResource', writeAny(inOrder(resource, ['group', 'version', 'resource']))],
    ['requestSubResource', textOf(subresource)],
    ['name', textOf(name)],
    ['namespace', textOf(namespace)],
    ['operation', writeAny(operation)],
    ['userInfo', writeAny(reviewedUser(attributes.user))],
    ['object', write.objectText()],
    ['oldObject', write.oldObjectText()],
    ['dryRun', writeAny(dryRun)],
    ['options', writeAny(attributes.operationOptions())],
  ];
  const request = members.flatMap(([member, text]) => (text === undefined ? [] : [`"${member}":${text}`]));
  return `{"kind":"AdmissionReview","apiVersion":"${apiVersion}","request":{${request.join(',')}}}\n`;
}

const textOf = (text: string): string | undefined => (text === '' ? undefined : writeAny(text));

const inOrder = <T extends object>(value: T, names: readonly (keyof T & string)[]): object =>
  Object.fromEntries(names.map((name) => [name, value[name]]));

/**
 * Parses the response. A v1 review must be for this very request; a v1beta1 review need not be.
 * @throws Error with client-go's message for an invalid review
 */
export const answeredReview = (kind: Kind, text: string): AdmissionReview =>
  answeredKind(text, kind, [ReviewV1, ReviewV1beta1]) as unknown as AdmissionReview;

/** @throws Error that describes the problem of the review */
export function checkedResponse(
  kind: Kind,
  uid: string,
  isMutating: boolean,
  review: AdmissionReview,
): AdmissionResponse {
  const { response } = review;
  if (response === undefined || response === null) throw new Error('webhook response was absent');
  if (kind === ReviewV1) {
    checkIdentity(review, response.uid, uid);
    (isMutating ? checkMutatingPatch : checkNoPatch)(response);
    return response;
  }
  const { patch: _, patchType: __, ...plain } = response;
  return isMutating && response.patch ? { ...response, patchType: 'JSONPatch' } : plain;
}

function checkIdentity(review: AdmissionReview, answered: string, uid: string): void {
  if (answered !== uid) {
    throw new Error(`expected response.uid=${goQuote(uid)}, got ${goQuote(answered ?? '')}`);
  }
  const { apiVersion = '', kind = '' } = review as { apiVersion?: string; kind?: string };
  if (apiVersion === ReviewV1.apiVersion && kind === ReviewV1.kind) return;
  const got = `${apiVersion.includes('/') || apiVersion === '' ? apiVersion || '/' : `/${apiVersion}`}, Kind=${kind}`;
  throw new Error(`expected webhook response of ${ReviewV1.apiVersion}, Kind=${ReviewV1.kind}, got ${got}`);
}

function checkMutatingPatch({ patch, patchType }: AdmissionResponse): void {
  if (patch && patchType === undefined) {
    throw new Error('webhook returned response.patch but not response.patchType');
  }
  if (!patch && patchType !== undefined) {
    throw new Error('webhook returned response.patchType but not response.patch');
  }
  if (patchType === '') throw new Error('webhook returned invalid response.patchType of ""');
}

function checkNoPatch({ patch, patchType }: AdmissionResponse): void {
  if (patch) throw new Error('validating webhook may not return response.patch');
  if (patchType !== undefined) throw new Error('validating webhook may not return response.patchType');
}
