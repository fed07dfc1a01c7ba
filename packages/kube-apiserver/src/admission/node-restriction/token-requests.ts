/** Nodes may request tokens for their pods, for the audiences that those pods mention. */
import { aggregateText, goQuote, StatusError, type KubeObject } from '@coxswain/apimachinery';
import type { TokenRequest } from '@coxswain/api/authentication/v1/token-request.ts';
import type { PersistentVolumeClaim } from '@coxswain/api/core/v1/persistent-volume-claim.ts';
import type { PersistentVolume } from '@coxswain/api/core/v1/persistent-volume.ts';
import type { Pod } from '@coxswain/api/core/v1/pod.ts';
import type { CSIDriver } from '@coxswain/api/storage/v1/csi-driver.ts';
import { objectOf, refused } from '../attributes.ts';
import { resources } from '../../object-reader.ts';
import { stored, type NodeWrite } from './node-write.ts';

/** The pod that the token is for; undefined when no token is requested. */
export async function checkTokenRequest(write: NodeWrite): Promise<Pod | undefined> {
  const { attributes, node } = write;
  if (attributes.operation !== 'CREATE' || attributes.subresource !== 'token') return undefined;
  const ref = objectOf<TokenRequest>(attributes).spec.boundObjectRef;
  if (ref?.apiVersion !== 'v1' || ref.kind !== 'Pod' || !ref.name) {
    throw refused(attributes, 'node requested token not bound to a pod');
  }
  if (!ref.uid) throw refused(attributes, 'node requested token with a pod binding without a uid');
  const pod = await stored<Pod & KubeObject>(write, resources.pods, attributes.namespace, ref.name);
  if (ref.uid !== pod.metadata.uid) {
    throw refused(
      attributes,
      `the UID in the bound object reference (${ref.uid}) does not match the UID in record. ` +
        'The object might have been deleted and then recreated',
    );
  }
  if (pod.spec.nodeName !== node) {
    throw refused(attributes, 'node requested token bound to a pod scheduled on a different node');
  }
  return pod;
}

export async function checkAudience(write: NodeWrite, pod: Pod): Promise<void> {
  const { attributes, authorizer } = write;
  const { audiences = [] } = objectOf<TokenRequest>(attributes).spec;
  if ((audiences ?? []).length > 1) throw refused(attributes, 'node may only request 0 or 1 audiences');
  const audience = audiences?.[0] ?? '';
  if (await mentions(write, pod, audience)) return;
  const { user, namespace, name, observer } = attributes;
  const decision = await authorizer.decide({
    user,
    verb: 'request-serviceaccounts-token-audience',
    namespace,
    group: '',
    version: 'v1',
    resource: audience,
    subresource: '',
    name,
    isResourceRequest: true,
    path: '',
    observer,
  });
  if (decision.kind === 'allow') return;
  throw refused(
    attributes,
    `audience ${goQuote(audience)} not found in pod spec volume, ${user.name} is not authorized to request tokens for this audience`,
  );
}

/** Whether a projected token or the CSI driver of one of the pod's volumes has the audience. */
async function mentions(write: NodeWrite, pod: Pod, audience: string): Promise<boolean> {
  const problems: string[] = [];
  for (const volume of pod.spec.volumes ?? []) {
    const projected = volume.projected?.sources?.some(
      ({ serviceAccountToken: token }) => token && (token.audience ?? '') === audience,
    );
    if (projected) return true;
    try {
      const driver = await driverOf(write, pod, volume);
      if (driver !== '' && (await driverAsksFor(write, driver, audience))) return true;
    } catch (error) {
      if (!(error instanceof StatusError)) throw error;
      problems.push(error.message);
    }
  }
  if (problems.length === 0) return false;
  throw refused(
    write.attributes,
    `error validating audience ${goQuote(audience)}: ${aggregateText(problems)}`,
  );
}

type Volume = NonNullable<Pod['spec']['volumes']>[number];

function driverOf(write: NodeWrite, { metadata }: Pod, volume: Volume): string | Promise<string> {
  const claim = volume.ephemeral?.volumeClaimTemplate
    ? `${metadata.name}-${volume.name}`
    : volume.persistentVolumeClaim?.claimName;
  if (claim !== undefined) return driverOfClaim(write, metadata.namespace ?? '', claim);
  return volume.csi?.driver ?? migratedDriver(volume);
}

async function driverOfClaim(write: NodeWrite, namespace: string, name: string): Promise<string> {
  const { spec } = await stored<PersistentVolumeClaim & KubeObject>(write, claims, namespace, name);
  const volume = await stored<PersistentVolume & KubeObject>(write, volumes, '', spec.volumeName ?? '');
  return volume.spec.csi?.driver ?? migratedDriver(volume.spec);
}

async function driverAsksFor(write: NodeWrite, name: string, audience: string): Promise<boolean> {
  const { spec } = await stored<CSIDriver & KubeObject>(write, drivers, '', name);
  return (spec.tokenRequests ?? []).some((request) => (request.audience ?? '') === audience);
}

const claims = { group: '', resource: 'persistentvolumeclaims' };
const volumes = { group: '', resource: 'persistentvolumes' };
const drivers = { group: 'storage.k8s.io', resource: 'csidrivers' };

/** In-tree volume types that migrated to CSI drivers. */
const migrated = {
  awsElasticBlockStore: 'ebs.csi.aws.com',
  azureDisk: 'disk.csi.azure.com',
  azureFile: 'file.csi.azure.com',
  cinder: 'cinder.csi.openstack.org',
  gcePersistentDisk: 'pd.csi.storage.gke.io',
  portworxVolume: 'pxd.portworx.com',
  vsphereVolume: 'csi.vsphere.vmware.com',
} as const;

const migratedDriver = (source: { readonly [kind in keyof typeof migrated]?: unknown }): string =>
  Object.entries(migrated).find(([kind]) => source[kind as keyof typeof migrated])?.[1] ?? '';
