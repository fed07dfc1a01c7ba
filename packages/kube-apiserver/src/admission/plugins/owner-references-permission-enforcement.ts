/**
 * Setting owner references requires permission to delete the object, and for blockOwnerDeletion also permission to
 * update the owner's finalizers.
 */
import { semanticDeepEqual, type OwnerReference } from '@coxswain/apimachinery';
import type { AdmissionAttributes, AdmissionPlugin, Authorizer } from '@coxswain/apiserver';
import { isTo, on, refused } from '../attributes.ts';
import { resources } from '../../object-reader.ts';
import type { ResourceMapper } from '../resource-mapper.ts';

export const ownerReferencesPermissionEnforcement = (
  authorizer: Authorizer,
  mappingsOf: ResourceMapper,
): AdmissionPlugin => ({
  name: 'OwnerReferencesPermissionEnforcement',
  handles: on('CREATE', 'UPDATE'),
  async validate(attributes) {
    // Kubelets used to damage the references there; the strategy preserves them.
    if (isTo(attributes, resources.pods, 'status')) return;
    const now = attributes.object?.metadata?.ownerReferences ?? [];
    const before = attributes.oldObject?.metadata?.ownerReferences ?? [];
    if (semanticDeepEqual(now, before)) return;
    if (attributes.operation !== 'CREATE') await checkDelete(authorizer, attributes);
    const blocking = newlyBlocking(now, before);
    if (blocking.length === 0 || (await mayFinalizeAnything(authorizer, attributes))) return;
    for (const owner of blocking) await checkFinalize(authorizer, mappingsOf, attributes, owner);
  },
});

/** Upstream prints an error after the reason, which is nil for a plain denial. */
const reported = (reason: string): string => `${reason}, <nil>`;

async function checkDelete(authorizer: Authorizer, attributes: AdmissionAttributes): Promise<void> {
  const { resource, subresource, namespace, name, user, observer } = attributes;
  const decision = await authorizer.decide({
    ...resource,
    user,
    verb: 'delete',
    namespace,
    subresource,
    name,
    isResourceRequest: true,
    path: '',
    observer,
  });
  if (decision.kind === 'allow') return;
  throw refused(
    attributes,
    `cannot set an ownerRef on a resource you can't delete: ${reported(decision.reason)}`,
  );
}

function newlyBlocking(
  now: readonly OwnerReference[],
  before: readonly OwnerReference[],
): readonly OwnerReference[] {
  const blockedBefore = new Set(before.filter((owner) => owner.blockOwnerDeletion).map(({ uid }) => uid));
  return now.filter((owner) => owner.blockOwnerDeletion && !blockedBefore.has(owner.uid));
}

const finalizers = { verb: 'update', subresource: 'finalizers', isResourceRequest: true, path: '' } as const;

async function mayFinalizeAnything(
  authorizer: Authorizer,
  { user, observer }: AdmissionAttributes,
): Promise<boolean> {
  const everything = { group: '*', version: '*', resource: '*', name: '*', namespace: '' };
  const decision = await authorizer.decide({ user, observer, ...finalizers, ...everything });
  return decision.kind === 'allow';
}

async function checkFinalize(
  authorizer: Authorizer,
  mappingsOf: ResourceMapper,
  attributes: AdmissionAttributes,
  { apiVersion, kind, name }: OwnerReference,
): Promise<void> {
  const mappings = mappingsOf(apiVersion, kind);
  if (mappings.length === 0) {
    throw refused(
      attributes,
      `cannot set blockOwnerDeletion in this case because cannot find RESTMapping for APIVersion ${apiVersion} Kind ${kind}: ` +
        `no matches for kind "${kind}" in version "${apiVersion}"`,
    );
  }
  for (const { resource, namespaced } of mappings) {
    const namespace = namespaced ? attributes.namespace : '';
    const decision = await authorizer.decide({
      user: attributes.user,
      observer: attributes.observer,
      ...finalizers,
      ...resource,
      name,
      namespace,
    });
    if (decision.kind === 'allow') continue;
    throw refused(
      attributes,
      `cannot set blockOwnerDeletion if an ownerReference refers to a resource you can't set finalizers on: ${reported(decision.reason)}`,
    );
  }
}
