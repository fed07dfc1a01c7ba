/** Before apps/v1beta2 `spec.rollbackTo` was a field; now it is an annotation. */
import { rollbackRevisionOf, setRollbackRevision } from '@coxswain/api/apps/rollback-annotation.ts';
import { Deployment } from '@coxswain/api/apps/v1/deployment.ts';
import type { Conversion } from '@coxswain/apiserver';
import type { Kind } from '@coxswain/schema';
import { changing } from '../conversion.ts';

interface RollbackSpec {
  readonly rollbackTo?: { readonly revision?: number } | null;
}

export const rollbackConversion = (other: Kind): Conversion =>
  changing(Deployment, other, {
    toStorage(object) {
      const { rollbackTo, ...spec } = object.spec as RollbackSpec;
      object.spec = spec;
      object.metadata = { ...object.metadata };
      setRollbackRevision(object, rollbackTo == null ? undefined : (rollbackTo.revision ?? 0));
    },
    fromStorage(object) {
      const revision = rollbackRevisionOf(object);
      object.metadata = { ...object.metadata };
      setRollbackRevision(object, undefined);
      if (revision === undefined) return;
      const rollbackTo = revision === 0n ? {} : { revision: Number(revision) };
      object.spec = { ...(object.spec as object), rollbackTo };
    },
  });
