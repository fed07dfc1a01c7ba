import { kind, optional } from '@coxswain/schema';
import type { Static } from '@coxswain/schema';
import { ObjectReference } from './object-reference.ts';

export const SerializedReference = kind('core/v1.SerializedReference', 'v1', undefined, {
  reference: optional(1, ObjectReference),
});
export interface SerializedReference extends Static<typeof SerializedReference> {}
