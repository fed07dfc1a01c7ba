/** Deployments before apps/v1beta2 told in `spec.rollbackTo` what is now an annotation. */
import { Deployment } from '@coxswain/api/apps/v1/deployment.ts';
import type { Conversion } from '@coxswain/apiserver';
import type { Kind } from '@coxswain/schema';
import { annotate, changing } from '../conversion.ts';
import type { AnyObject } from '../resource.ts';

export const rollbackAnnotation = 'deprecated.deployment.rollback.revision';

interface RollbackSpec {
  readonly rollbackTo?: { readonly revision?: number } | undefined;
}

export const rollbackConversion = (other: Kind): Conversion =>
  changing(Deployment, other, {
    toStorage(object) {
      const { rollbackTo, ...spec } = object.spec as RollbackSpec;
      object.spec = spec;
      annotate(object, rollbackAnnotation, rollbackTo == null ? undefined : String(rollbackTo.revision ?? 0));
    },
    fromStorage(object) {
      const revision = revisionOf(object);
      annotate(object, rollbackAnnotation, undefined);
      if (revision === undefined) return;
      object.spec = { ...(object.spec as object), rollbackTo: revision === 0 ? {} : { revision } };
    },
  });

function revisionOf({ metadata }: AnyObject): number | undefined {
  const text = metadata.annotations?.[rollbackAnnotation];
  return text !== undefined && /^[+-]?\d+$/.test(text) ? Number(text) : undefined;
}
