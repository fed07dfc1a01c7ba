/** A node's write, and what the checks need to judge it. */
import { notFound, StatusError, type GroupResource, type KubeObject } from '@coxswain/apimachinery';
import type { AdmissionAttributes, Authorizer } from '@coxswain/apiserver';
import type { FeatureGates } from '@coxswain/component-base/features/feature-gates.ts';
import type { ObjectReader } from '../../object-reader.ts';

export interface NodeWrite {
  readonly node: string;
  readonly attributes: AdmissionAttributes;
  readonly objects: ObjectReader;
  readonly authorizer: Authorizer;
  readonly features: FeatureGates;
}

/** @throws NotFound with the kind in the singular, as upstream's caches do */
export async function stored<T extends KubeObject>(
  { objects }: NodeWrite,
  resource: GroupResource,
  namespace: string,
  name: string,
): Promise<T> {
  const found = await objects.get<T>(resource, namespace, name);
  if (found === undefined) throw notFound(singular(resource), name);
  return found;
}

const singular = ({ group, resource }: GroupResource): GroupResource => ({
  group,
  resource: resource.replace(/s$/, ''),
});

/** Not a denial: the request may become valid a moment later. */
export const notYet = (message: string): StatusError => new StatusError(500, '', message);
