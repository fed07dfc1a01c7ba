/**
 * A kind's object type, assembled from its parts: for behavior in a separate file, where importing the kind's type
 * would be circular.
 */

import type { ObjectMeta } from '@coxswain/schema';

export interface MetaObject {
  metadata: ObjectMeta;
}

export interface SpecObject<Spec> extends MetaObject {
  spec: Spec;
}

export interface StatusObject<Spec, Status> extends SpecObject<Spec> {
  status: Status;
}
