/** Publishes the authority of the API server's certificate as a ClusterTrustBundle of its signer. */
import { inWallTime } from '@coxswain/apimachinery/wall-time.ts';
import { ignoring, type GroupVersionResource, type KubeObject } from '@coxswain/apimachinery';
import { discoveryClient } from '@coxswain/client';
import type { Controller, ControllerContext } from '../controller.ts';
import { startReconciler } from '../reconciler.ts';

interface TrustBundle extends KubeObject {
  readonly spec: { readonly signerName: string; readonly trustBundle: string };
}

const group = 'certificates.k8s.io';
const signerName = 'kubernetes.io/kube-apiserver-serving';
/** Newest first. */
const versions = ['v1beta1', 'v1alpha1'];
/** The length of the digest in the name, in bytes. */
const digestLength = 12;

export const trustBundlePublisher: Controller = {
  name: 'kube-apiserver-serving-clustertrustbundle-publisher-controller',
  featureGates: ['ClusterTrustBundle'],
  serviceAccount: 'kube-apiserver-serving-clustertrustbundle-publisher',
  start(context) {
    const certificate = context.settings.rootCertificateAuthority;
    if (certificate !== undefined) context.run(publish(context, certificate));
  },
};

async function publish(context: ControllerContext, trustBundle: string): Promise<void> {
  const bundles = await servedBundles(context);
  if (bundles === undefined) return;
  const name = await bundleName(trustBundle);
  const client = context.client.resource<TrustBundle>(bundles);
  const informer = context.informers.informer<TrustBundle>(bundles);
  const wanted: TrustBundle = {
    apiVersion: `${group}/${bundles.version}`,
    kind: 'ClusterTrustBundle',
    metadata: { name },
    spec: { signerName, trustBundle },
  };
  const reconciler = startReconciler(context, {
    queueName: 'ca_cert_publisher_cluster_trust_bundles',
    workers: 1,
    ready: () => informer.synced,
    reconcile: async function syncTrustBundle() {
      const current = informer.lister.get(name);
      if (current === undefined) await client.create(wanted);
      else if (current.spec.trustBundle !== trustBundle)
        await client.update({ ...current, spec: { ...current.spec, trustBundle } });
      const outdated = informer.lister
        .list()
        .filter(({ spec, metadata }) => spec.signerName === signerName && metadata.name !== name);
      for (const { metadata } of outdated) await ignoring('NotFound', client.delete(metadata.name ?? ''));
    },
  });
  const wake = () => reconciler.add(signerName);
  informer.addHandler({ added: wake, updated: wake, deleted: wake });
  wake();
}

async function servedBundles({ client }: ControllerContext): Promise<GroupVersionResource | undefined> {
  const { resources } = await discoveryClient(client.rest).discover();
  const served = (version: string) =>
    resources.some((one) => one.group === group && one.version === version && one.resource === resource);
  const resource = 'clustertrustbundles';
  const version = versions.find(served);
  return version === undefined ? undefined : { group, version, resource };
}

/** Derives the name from the contents, so that an old bundle remains until the new one exists. */
async function bundleName(trustBundle: string): Promise<string> {
  const digest = await inWallTime(() =>
    crypto.subtle.digest('SHA-256', new TextEncoder().encode(trustBundle)),
  );
  return `${signerName.replaceAll('/', ':')}:${Buffer.from(digest, 0, digestLength).toString('hex')}`;
}
