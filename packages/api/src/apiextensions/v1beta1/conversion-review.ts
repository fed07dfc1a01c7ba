import * as t from '@coxswain/schema';
import { Status } from '../../meta/v1/status.ts';

export const ConversionRequest = t.struct('apiextensions/v1beta1.ConversionRequest', {
  uid: t.always(1, t.named('types.UID', t.string), { go: 'UID' }),
  desiredAPIVersion: t.always(2, t.string),
  objects: t.always(3, t.atomicList(t.rawExtension)),
});
export interface ConversionRequest extends t.Static<typeof ConversionRequest> {}

export const ConversionResponse = t.struct('apiextensions/v1beta1.ConversionResponse', {
  uid: t.always(1, t.named('types.UID', t.string), { go: 'UID' }),
  convertedObjects: t.always(2, t.atomicList(t.rawExtension)),
  result: t.always(3, Status.type),
});
export interface ConversionResponse extends t.Static<typeof ConversionResponse> {}

export const ConversionReview = t.kind(
  'apiextensions/v1beta1.ConversionReview',
  'apiextensions.k8s.io/v1beta1',
  undefined,
  {
    request: t.pointer(1, ConversionRequest),
    response: t.pointer(2, ConversionResponse),
  },
);
export interface ConversionReview extends t.Static<typeof ConversionReview> {}
