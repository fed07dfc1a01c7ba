import { always, atomicList, kind, pointer, rawExtension, string, struct, named } from '@coxswain/schema';
import type { Static } from '@coxswain/schema';
import { Status } from '../../meta/v1/status.ts';

export const ConversionRequest = struct('apiextensions/v1.ConversionRequest', {
  uid: always(1, named('types.UID', string), { go: 'UID' }),
  desiredAPIVersion: always(2, string),
  objects: always(3, atomicList(rawExtension)),
});
export interface ConversionRequest extends Static<typeof ConversionRequest> {}

export const ConversionResponse = struct('apiextensions/v1.ConversionResponse', {
  uid: always(1, named('types.UID', string), { go: 'UID' }),
  convertedObjects: always(2, atomicList(rawExtension)),
  result: always(3, Status.type),
});
export interface ConversionResponse extends Static<typeof ConversionResponse> {}

export const ConversionReview = kind(
  'apiextensions/v1.ConversionReview',
  'apiextensions.k8s.io/v1',
  undefined,
  {
    request: pointer(1, ConversionRequest),
    response: pointer(2, ConversionResponse),
  },
);
export interface ConversionReview extends Static<typeof ConversionReview> {}
