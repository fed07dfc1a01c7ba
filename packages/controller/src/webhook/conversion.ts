/** A webhook that converts objects between the versions of a custom resource. */

import type { KubeObject } from '@coxswain/apimachinery';
import { messageOf } from '@coxswain/apimachinery/message-of.ts';
import { BadReview, type WebhookHandler } from './admission.ts';

/** Returns the object in another version, with or without its apiVersion. Metadata other than labels and annotations must not change. */
export type Convert = (object: KubeObject, desiredApiVersion: string) => object | Promise<object>;

/**
 * Creates a handler for the conversion reviews of a custom resource. An error is reported to the API server as a
 * failure.
 * @example
 * const handler = conversion((object, apiVersion) =>
 *   apiVersion === 'example.com/v2' ? { ...object, spec: { replicas: 1 } } : { ...object, spec: { size: 1 } },
 * );
 */
export const conversion =
  (convert: Convert): WebhookHandler =>
  async (body) => {
    const { apiVersion, kind, request } = (body ?? {}) as ConversionReview;
    if (kind !== 'ConversionReview' || typeof request?.uid !== 'string' || !Array.isArray(request.objects))
      throw new BadReview('the body is not a ConversionReview');
    const { uid, desiredAPIVersion, objects } = request;
    const one = async (object: KubeObject) =>
      object.apiVersion === desiredAPIVersion
        ? object
        : {
            metadata: object.metadata,
            ...(await convert(object, desiredAPIVersion)),
            apiVersion: desiredAPIVersion,
            kind: object.kind,
          };
    try {
      const convertedObjects = await Promise.all(objects.map(one));
      return { apiVersion, kind, response: { uid, convertedObjects, result: { status: 'Success' } } };
    } catch (error) {
      const message = messageOf(error);
      return {
        apiVersion,
        kind,
        response: { uid, convertedObjects: [], result: { status: 'Failed', message } },
      };
    }
  };

interface ConversionReview {
  readonly apiVersion?: string;
  readonly kind?: string;
  readonly request?: {
    readonly uid: string;
    readonly desiredAPIVersion: string;
    readonly objects: readonly KubeObject[];
  };
}
