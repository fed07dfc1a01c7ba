/**
 * The object of a kind, told by its parts: for behaviour that stands beside the kind's own file, where
 * naming the kind's type would be circular.
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
