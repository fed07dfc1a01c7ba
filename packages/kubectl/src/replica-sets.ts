/** Replica sets as the history of a deployment. */
import type { KubeObject } from '@coxswain/apimachinery';
import { sameJson } from './same-json.ts';

export const revisionAnnotation = 'deployment.kubernetes.io/revision';
export const changeCauseAnnotation = 'kubernetes.io/change-cause';
/** Added by the controller to the pods of a replica set, not by the user. */
const templateHashLabel = 'pod-template-hash';

export const revisionOf = ({ metadata }: KubeObject): number =>
  Number(metadata.annotations?.[revisionAnnotation] ?? 0);

interface Template {
  readonly metadata?: { readonly labels?: Readonly<Record<string, string>> };
}

/** Returns the template without the controller's label. */
export function withoutHash<T extends Template>(template: T): T {
  const { [templateHashLabel]: _hash, ...labels } = template.metadata?.labels ?? {};
  return { ...template, metadata: { ...template.metadata, labels } };
}

export const sameTemplate = (a: Template | undefined, b: Template | undefined): boolean =>
  a !== undefined && b !== undefined && sameJson(withoutHash(a), withoutHash(b));
