/** Nodes may request certificates for pods that run on them, with the service accounts of those pods. */
import type { PodCertificateRequest } from '@coxswain/api/certificates/v1beta1/pod-certificate-request.ts';
import { goQuote, isStatusError, type GroupResource, type KubeObject } from '@coxswain/apimachinery';
import type { Pod } from '@coxswain/api/core/v1/pod.ts';
import { isMirrorPod } from '../../authorization/node/pod-references.ts';
import { objectOf, refused } from '../attributes.ts';
import { resources } from '../../object-reader.ts';
import { notYet, stored, type NodeWrite } from './node-write.ts';

export async function checkPodCertificateRequest(write: NodeWrite): Promise<void> {
  const { attributes, node, features } = write;
  const { operation, subresource, namespace } = attributes;
  if (!features.enabled('PodCertificateRequest')) {
    throw refused(attributes, 'PodCertificateRequest feature gate is disabled');
  }
  if (operation !== 'CREATE') throw refused(attributes, `unexpected operation ${operation}`);
  if (subresource !== '') throw refused(attributes, `unexpected subresource ${subresource}`);
  const { spec } = objectOf<PodCertificateRequest>(attributes);
  if (spec.nodeName !== node) {
    throw refused(
      attributes,
      `PodCertificateRequest.Spec.NodeName=${goQuote(spec.nodeName)}, which is not the requesting node ${goQuote(node)}`,
    );
  }
  const podName = goQuote(`${namespace}/${spec.podName}`);
  const about = `PodCertificateRequest for pod ${podName}`;
  const own = await named(write, resources.nodes, '', spec.nodeName, `node ${goQuote(spec.nodeName)}`);
  if (own.metadata.uid !== spec.nodeUID) {
    throw notYet(
      `${about} names node UID ${goQuote(spec.nodeUID)}, inconsistent with the running node (${goQuote(own.metadata.uid ?? '')})`,
    );
  }
  await checkPodOfRequest(write, spec, about);
  const account = await named(
    write,
    resources.serviceAccounts,
    namespace,
    spec.serviceAccountName,
    `service account ${goQuote(`${namespace}/${spec.serviceAccountName}`)}`,
  );
  if (account.metadata.uid !== spec.serviceAccountUID) {
    throw notYet(
      `${about} names service account UID ${goQuote(spec.serviceAccountUID)}, which differs from the running service account (${goQuote(account.metadata.uid ?? '')})`,
    );
  }
}

async function checkPodOfRequest(
  write: NodeWrite,
  spec: PodCertificateRequest['spec'],
  about: string,
): Promise<void> {
  const { attributes } = write;
  const { namespace } = attributes;
  const podName = goQuote(`${namespace}/${spec.podName}`);
  const pod = (await named(write, resources.pods, namespace, spec.podName, `pod ${podName}`)) as Pod &
    KubeObject;
  if (pod.metadata.uid !== spec.podUID) {
    throw notYet(
      `${about} contains pod UID (${goQuote(spec.podUID)}) which differs from running pod ${goQuote(pod.metadata.uid ?? '')}`,
    );
  }
  if (pod.spec.nodeName !== spec.nodeName) {
    throw refused(
      attributes,
      `pod ${podName} is not running on node ${goQuote(spec.nodeName)} named in the PodCertificateRequest`,
    );
  }
  if (isMirrorPod(pod)) throw refused(attributes, `pod ${podName} is a mirror pod`);
  const account = pod.spec.serviceAccountName ?? '';
  if (spec.serviceAccountName !== account) {
    throw refused(
      attributes,
      `${about} contains serviceAccountName (${goQuote(spec.serviceAccountName)}) that differs from running pod (${goQuote(account)})`,
    );
  }
}

async function named(
  write: NodeWrite,
  resource: GroupResource,
  namespace: string,
  name: string,
  what: string,
): Promise<KubeObject> {
  try {
    return await stored<KubeObject>(write, resource, namespace, name);
  } catch (error) {
    if (!isStatusError(error, 'NotFound')) throw error;
    throw notYet(`while retrieving ${what} named in the PodCertificateRequest: ${error.message}`);
  }
}
