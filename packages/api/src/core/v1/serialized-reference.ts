import * as t from '@coxswain/schema';
import { ObjectReference } from './object-reference.ts';

export const SerializedReference = t.kind('core/v1.SerializedReference', 'v1', undefined, {
  reference: t.optional(1, ObjectReference),
});
export interface SerializedReference extends t.Static<typeof SerializedReference> {}
