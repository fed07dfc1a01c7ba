/**
 * The earlier template to which a Deployment is rolled back. Before apps/v1beta2 it was a field; since then it is an
 * annotation, which upstream rewrites whenever it converts a Deployment.
 */
import { goQuote } from '@coxswain/apimachinery';
import { parseInt64 } from '@coxswain/apimachinery/go-integer.ts';
import { DecodeError, type ObjectMeta } from '@coxswain/schema';

export const rollbackAnnotation = 'deprecated.deployment.rollback.to';

interface Annotated {
  metadata: Pick<ObjectMeta, 'annotations'>;
}

/** Undefined without a rollback; zero means the previous template. @throws DecodeError for an invalid number */
export function rollbackRevisionOf({ metadata }: Annotated): bigint | undefined {
  const text = metadata?.annotations?.[rollbackAnnotation];
  if (!text) return undefined;
  const revision = parseInt64(text);
  if (revision !== undefined) return revision;
  const problem = /^[-+]?\d+$/.test(text) ? 'value out of range' : 'invalid syntax';
  throw new DecodeError(
    'type',
    `failed to parse annotation[${rollbackAnnotation}]=${text} as int64: strconv.ParseInt: parsing ${goQuote(text)}: ${problem}`,
  );
}

export function setRollbackRevision(object: Annotated, revision: bigint | number | undefined): void {
  const { [rollbackAnnotation]: _, ...annotations } = object.metadata.annotations ?? {};
  if (revision !== undefined) annotations[rollbackAnnotation] = String(revision);
  if (Object.keys(annotations).length > 0) object.metadata.annotations = annotations;
  else delete object.metadata.annotations;
}

/** Normalizes the number as upstream does; removes an empty annotation. @throws DecodeError */
export function defaultRollback(object: Annotated): void {
  if (object.metadata?.annotations?.[rollbackAnnotation] === undefined) return;
  setRollbackRevision(object, rollbackRevisionOf(object));
}
