/** Nodes may create and delete their mirror pods, update their pods' status, and evict their pods. */
import { deepEqual, goQuote, semanticDeepEqual, type KubeObject } from '@coxswain/apimachinery';
import type { Node } from '@coxswain/api/core/v1/node.ts';
import type { Pod } from '@coxswain/api/core/v1/pod.ts';
import {
  configMapNamesOf,
  isMirrorPod,
  mirrorPodAnnotation,
  secretNamesOf,
} from '../../authorization/node/pod-references.ts';
import { objectOf, oldObjectOf, refused } from '../attributes.ts';
import { resources } from '../../object-reader.ts';
import { stored, type NodeWrite } from './node-write.ts';

export function checkPod(write: NodeWrite): void | Promise<void> {
  const { attributes } = write;
  switch (attributes.subresource) {
    case '':
      return checkPodItself(write);
    case 'status':
      return checkStatus(write);
    case 'eviction':
      return checkEviction(write);
    default:
      throw refused(
        attributes,
        `unexpected pod subresource ${goQuote(attributes.subresource)}, only 'status' and 'eviction' are allowed`,
      );
  }
}

function checkPodItself(write: NodeWrite): void | Promise<void> {
  const { attributes, node } = write;
  switch (attributes.operation) {
    case 'CREATE':
      return checkCreate(write);
    case 'DELETE':
      return checkDelete(write);
    default:
      throw refused(
        attributes,
        `unexpected operation ${goQuote(attributes.operation)}, node ${goQuote(node)} can only create and delete mirror pods`,
      );
  }
}

async function checkDelete(write: NodeWrite): Promise<void> {
  const { attributes, node } = write;
  const pod = await stored<Pod & KubeObject>(write, resources.pods, attributes.namespace, attributes.name);
  if (pod.spec.nodeName !== node) {
    throw refused(attributes, `node ${goQuote(node)} can only delete pods with spec.nodeName set to itself`);
  }
}

async function checkCreate(write: NodeWrite): Promise<void> {
  const { attributes, node } = write;
  const pod = objectOf<Pod>(attributes);
  const name = goQuote(node);
  if (!isMirrorPod(pod)) {
    const missing = `pod does not have ${goQuote(mirrorPodAnnotation)} annotation`;
    throw refused(attributes, `${missing}, node ${name} can only create mirror pods`);
  }
  if (pod.spec.nodeName !== node) {
    throw refused(attributes, `node ${name} can only create pods with spec.nodeName set to itself`);
  }
  await checkOwner(write, pod);
  const referenced = apiObjectReferenced(pod);
  if (referenced !== undefined) {
    throw refused(attributes, `node ${name} can not create pods that reference ${referenced}`);
  }
}

async function checkOwner(write: NodeWrite, { metadata }: Pod): Promise<void> {
  const { attributes, node } = write;
  const owners = metadata.ownerReferences ?? [];
  const only = (what: string) =>
    refused(attributes, `node ${goQuote(node)} can only create pods with ${what}`);
  if (owners.length > 1) throw only('a single owner reference set to itself');
  const [owner] = owners;
  if (owner?.apiVersion !== 'v1' || owner.kind !== 'Node' || owner.name !== node) {
    throw only('an owner reference set to itself');
  }
  if (!owner.controller) throw only('a controller owner reference set to itself');
  if (owner.blockOwnerDeletion) {
    throw refused(attributes, `node ${goQuote(node)} must not set blockOwnerDeletion on an owner reference`);
  }
  const own = await stored<Node & KubeObject>(write, resources.nodes, '', node);
  if (owner.uid !== own.metadata.uid) {
    throw refused(attributes, `node ${node} UID mismatch: expected ${owner.uid} got ${own.metadata.uid}`);
  }
}

/** Upstream's name of the kind of object that the pod would make accessible to its node. */
function apiObjectReferenced(pod: Pod): string | undefined {
  if (pod.spec.serviceAccountName) return 'serviceaccounts';
  if (secretNamesOf(pod).length > 0) return 'secrets';
  if (configMapNamesOf(pod).length > 0) return 'configmaps';
  if (pod.spec.resourceClaims?.length) return 'resourceclaims';
  for (const volume of pod.spec.volumes ?? []) {
    const [, what] = referencingVolumes.find(([source]) => volume[source]) ?? [];
    if (what !== undefined) return what;
    for (const projected of volume.projected?.sources ?? []) {
      const [, source] = referencingSources.find(([member]) => projected[member]) ?? [];
      if (source !== undefined) return source;
    }
  }
  return undefined;
}

const referencingVolumes = [
  ['configMap', 'configmaps (via configmap volumes)'],
  ['secret', 'secrets (via secret volumes)'],
  ['csi', 'csidrivers (via CSI volumes)'],
  ['glusterfs', 'endpoints (via glusterFS volumes)'],
  ['persistentVolumeClaim', 'persistentvolumeclaims'],
  ['ephemeral', 'persistentvolumeclaims (via ephemeral volumes)'],
  ['azureFile', 'secrets (via azureFile volumes)'],
] as const;

const referencingSources = [
  ['configMap', 'configmaps (via projected volumes)'],
  ['secret', 'secrets (via projected volumes)'],
  ['serviceAccountToken', 'serviceaccounts (via projected volumes)'],
  ['clusterTrustBundle', 'clustertrustbundles'],
  ['podCertificate', 'podcertificates'],
] as const;

function checkStatus({ attributes, node }: NodeWrite): void {
  if (attributes.operation !== 'UPDATE') {
    throw refused(attributes, `unexpected operation ${goQuote(attributes.operation)}`);
  }
  const pod = objectOf<Pod>(attributes);
  const old = oldObjectOf<Pod>(attributes);
  const name = goQuote(node);
  if (old.spec.nodeName !== node) {
    throw refused(
      attributes,
      `node ${name} can only update pod status for pods with spec.nodeName set to itself`,
    );
  }
  if (!deepEqual(old.metadata.labels ?? {}, pod.metadata.labels ?? {})) {
    throw refused(attributes, `node ${name} cannot update labels through pod status`);
  }
  if (!semanticDeepEqual(old.status?.resourceClaimStatuses, pod.status?.resourceClaimStatuses)) {
    throw refused(attributes, `node ${name} cannot update resource claim statues`);
  }
  if (!semanticDeepEqual(old.status?.extendedResourceClaimStatus, pod.status?.extendedResourceClaimStatus)) {
    throw refused(attributes, `node ${name} cannot update extended resource claim status`);
  }
}

async function checkEviction(write: NodeWrite): Promise<void> {
  const { attributes, node } = write;
  if (attributes.operation !== 'CREATE') {
    throw refused(attributes, `unexpected operation ${attributes.operation}`);
  }
  const name = attributes.name || attributes.object?.metadata?.name;
  if (!name) throw refused(attributes, 'could not determine pod from request data');
  const pod = await stored<Pod & KubeObject>(write, resources.pods, attributes.namespace, name);
  if (pod.spec.nodeName !== node) {
    throw refused(attributes, `node ${node} can only evict pods with spec.nodeName set to itself`);
  }
}
