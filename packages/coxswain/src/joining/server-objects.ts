/**
 * The objects in a cluster that let machines join it: its public information, and the permissions of token holders and
 * nodes. The names are kubeadm's, whose tools look for them.
 */
import {
  clusterRole,
  clusterRoleBinding,
  configMap,
  group,
  role,
  roleBinding,
  user,
  type Addon,
  type PolicyRule,
} from '../components/addon.ts';
import type { EtcdSettings } from '@coxswain/kube-apiserver/etcd-settings.ts';
import { serviceClusterIpRange } from '../components/cluster-addresses.ts';
import { kubernetesVersion } from '../program/version.ts';
import { joinersGroup } from './bootstrap-token.ts';

export interface JoinableCluster {
  /** `https://192.0.2.1:6443`: where other machines reach the API server. */
  readonly server: string;
  /** PEM. */
  readonly certificateAuthority: string;
  readonly clusterDns: string;
  readonly clusterDomain: string;
  /** The range of all pods on all nodes. */
  readonly podRange: string;
  /** The etcd that several servers share; undefined if the first server has a store of its own. */
  readonly etcd?: EtcdSettings;
}

export const clusterInfoNamespace = 'kube-public';
export const clusterInfoName = 'cluster-info';
export const kubeletConfigName = 'kubelet-config';
export const kubeadmConfigName = 'kubeadm-config';
const nodes = 'system:nodes';
const requests = 'system:certificates.k8s.io:certificatesigningrequests';

export const serverObjects = (cluster: JoinableCluster): readonly Addon[] => [
  configMap(clusterInfoNamespace, clusterInfoName, { kubeconfig: clusterInfo(cluster) }),
  role(clusterInfoNamespace, 'kubeadm:bootstrap-signer-clusterinfo', readsMap(clusterInfoName)),
  roleBinding(clusterInfoNamespace, 'kubeadm:bootstrap-signer-clusterinfo', [user('system:anonymous')]),
  configMap('kube-system', kubeletConfigName, {
    kubelet: kubeletConfiguration(cluster),
  }),
  role('kube-system', 'kubeadm:kubelet-config', readsMap(kubeletConfigName)),
  roleBinding('kube-system', 'kubeadm:kubelet-config', [group(nodes), group(joinersGroup)]),
  configMap('kube-system', kubeadmConfigName, { ClusterConfiguration: clusterConfiguration(cluster) }),
  role('kube-system', 'kubeadm:nodes-kubeadm-config', readsMap(kubeadmConfigName)),
  roleBinding('kube-system', 'kubeadm:nodes-kubeadm-config', [group(nodes), group(joinersGroup)]),
  clusterRole('kubeadm:get-nodes', [{ apiGroups: [''], resources: ['nodes'], verbs: ['get'] }]),
  binding('kubeadm:get-nodes', 'kubeadm:get-nodes', joinersGroup),
  binding('kubeadm:kubelet-bootstrap', 'system:node-bootstrapper', joinersGroup),
  binding('kubeadm:node-autoapprove-bootstrap', `${requests}:nodeclient`, joinersGroup),
  binding('kubeadm:node-autoapprove-certificate-rotation', `${requests}:selfnodeclient`, nodes),
  // The network component on a node isn't a pod with its own service account: it acts as the node.
  binding('coxswain:node-proxier', 'system:node-proxier', nodes),
];

/** Returns the same port at an address that others can reach. */
export function reachableAt(host: string, address: string): string {
  const { port } = new URL(address);
  return `https://${host.includes(':') ? `[${host}]` : host}:${port || '443'}`;
}

const clusterInfo = ({ server, certificateAuthority }: JoinableCluster): string =>
  asText({
    apiVersion: 'v1',
    kind: 'Config',
    preferences: {},
    clusters: [
      {
        name: '',
        cluster: {
          server,
          'certificate-authority-data': Buffer.from(certificateAuthority).toString('base64'),
        },
      },
    ],
    contexts: null,
    'current-context': '',
    users: null,
  });

/**
 * The settings common to all kubelets of the cluster. `kubeadm join` uses them unchanged, together with the files that
 * it writes.
 */
const kubeletConfiguration = ({ clusterDns, clusterDomain }: JoinableCluster): string =>
  asText({
    apiVersion: 'kubelet.config.k8s.io/v1beta1',
    kind: 'KubeletConfiguration',
    authentication: {
      anonymous: { enabled: false },
      webhook: { enabled: true },
      x509: { clientCAFile: '/etc/kubernetes/pki/ca.crt' },
    },
    authorization: { mode: 'Webhook' },
    clusterDNS: [clusterDns],
    clusterDomain,
    healthzBindAddress: '127.0.0.1',
    healthzPort: 10_248,
    rotateCertificates: true,
    staticPodPath: '/etc/kubernetes/manifests',
  });

/** Read by `kubeadm join` and `coxswain join`. */
const clusterConfiguration = ({ server, clusterDomain, podRange, etcd }: JoinableCluster): string =>
  asText({
    apiVersion: 'kubeadm.k8s.io/v1beta4',
    kind: 'ClusterConfiguration',
    clusterName: 'coxswain',
    controlPlaneEndpoint: new URL(server).host,
    ...(etcd && { etcd: { external: { endpoints: etcd.servers, ...etcd.tls } } }),
    kubernetesVersion,
    networking: { dnsDomain: clusterDomain, podSubnet: podRange, serviceSubnet: serviceClusterIpRange },
  });

/** JSON is valid YAML. */
const asText = (value: object): string => `${JSON.stringify(value, undefined, 2)}\n`;

const readsMap = (name: string): readonly PolicyRule[] => [
  { apiGroups: [''], resources: ['configmaps'], resourceNames: [name], verbs: ['get'] },
];

const binding = (name: string, roleName: string, groupName: string): Addon =>
  clusterRoleBinding(name, roleName, [group(groupName)]);
