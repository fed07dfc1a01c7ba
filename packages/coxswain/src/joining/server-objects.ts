/**
 * What a cluster holds so that machines can join it: what everybody may read about it, and what those who have a
 * token, and nodes, may do. Names are those of kubeadm, whose tools look for them.
 */
import type { KubeObject } from '@coxswain/apimachinery';
import { joinersGroup } from './bootstrap-token.ts';

export interface JoinableCluster {
  /** `https://192.0.2.1:6443`: where others reach the API server. */
  readonly server: string;
  /** PEM. */
  readonly certificateAuthority: string;
  readonly clusterDns: string;
  readonly clusterDomain: string;
  /** Of all pods, on all nodes. */
  readonly podRange: string;
}

export interface PlacedObject {
  readonly apiVersion: string;
  readonly resource: string;
  readonly namespace?: string;
  readonly object: KubeObject;
}

export const clusterInfoNamespace = 'kube-public';
export const clusterInfoName = 'cluster-info';
export const kubeletConfigName = 'kubelet-config';
const rbac = 'rbac.authorization.k8s.io';
const nodes = 'system:nodes';
const requests = 'system:certificates.k8s.io:certificatesigningrequests';

export const serverObjects = (cluster: JoinableCluster): readonly PlacedObject[] => [
  configMap(clusterInfoNamespace, clusterInfoName, { kubeconfig: clusterInfo(cluster) }),
  role(clusterInfoNamespace, 'kubeadm:bootstrap-signer-clusterinfo', readsMap(clusterInfoName)),
  roleBinding(clusterInfoNamespace, 'kubeadm:bootstrap-signer-clusterinfo', [user('system:anonymous')]),
  configMap('kube-system', kubeletConfigName, {
    kubelet: kubeletConfiguration(cluster),
    podRange: cluster.podRange,
  }),
  role('kube-system', 'kubeadm:kubelet-config', readsMap(kubeletConfigName)),
  roleBinding('kube-system', 'kubeadm:kubelet-config', [group(nodes), group(joinersGroup)]),
  clusterRole('kubeadm:get-nodes', [{ apiGroups: [''], resources: ['nodes'], verbs: ['get'] }]),
  binding('kubeadm:get-nodes', 'kubeadm:get-nodes', joinersGroup),
  binding('kubeadm:kubelet-bootstrap', 'system:node-bootstrapper', joinersGroup),
  binding('kubeadm:node-autoapprove-bootstrap', `${requests}:nodeclient`, joinersGroup),
  binding('kubeadm:node-autoapprove-certificate-rotation', `${requests}:selfnodeclient`, nodes),
  // What carries packets on a node is no pod with an account of its own: it is the node.
  binding('coxswain:node-proxier', 'system:node-proxier', nodes),
  clusterRole('coxswain:node-network', [
    { apiGroups: [''], resources: ['namespaces', 'pods', 'nodes'], verbs: ['get', 'list', 'watch'] },
    { apiGroups: ['networking.k8s.io'], resources: ['networkpolicies'], verbs: ['get', 'list', 'watch'] },
  ]),
  binding('coxswain:node-network', 'coxswain:node-network', nodes),
];

/** The same port at an address that others can reach. */
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

/** What all nodes of the cluster have in common. */
const kubeletConfiguration = ({ clusterDns, clusterDomain }: JoinableCluster): string =>
  asText({
    apiVersion: 'kubelet.config.k8s.io/v1beta1',
    kind: 'KubeletConfiguration',
    clusterDNS: [clusterDns],
    clusterDomain,
    rotateCertificates: true,
  });

/** JSON is YAML: every reader takes it. */
const asText = (value: object): string => `${JSON.stringify(value, undefined, 2)}\n`;

const configMap = (
  namespace: string,
  name: string,
  data: Readonly<Record<string, string>>,
): PlacedObject => ({
  apiVersion: 'v1',
  resource: 'configmaps',
  namespace,
  object: { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name, namespace }, data } as KubeObject,
});

const readsMap = (name: string) => [
  { apiGroups: [''], resources: ['configmaps'], resourceNames: [name], verbs: ['get'] },
];

const ofRbac = (kind: string, resource: string, name: string, more: object, namespace?: string) => ({
  apiVersion: `${rbac}/v1`,
  resource,
  ...(namespace === undefined ? {} : { namespace }),
  object: {
    apiVersion: `${rbac}/v1`,
    kind,
    metadata: { name, ...(namespace === undefined ? {} : { namespace }) },
    ...more,
  } as KubeObject,
});

const role = (namespace: string, name: string, rules: readonly object[]): PlacedObject =>
  ofRbac('Role', 'roles', name, { rules }, namespace);

const clusterRole = (name: string, rules: readonly object[]): PlacedObject =>
  ofRbac('ClusterRole', 'clusterroles', name, { rules });

const roleBinding = (namespace: string, name: string, subjects: readonly object[]): PlacedObject =>
  ofRbac(
    'RoleBinding',
    'rolebindings',
    name,
    { roleRef: { apiGroup: rbac, kind: 'Role', name }, subjects },
    namespace,
  );

const binding = (name: string, roleName: string, groupName: string): PlacedObject =>
  ofRbac('ClusterRoleBinding', 'clusterrolebindings', name, {
    roleRef: { apiGroup: rbac, kind: 'ClusterRole', name: roleName },
    subjects: [group(groupName)],
  });

const user = (name: string) => ({ apiGroup: rbac, kind: 'User', name });
const group = (name: string) => ({ apiGroup: rbac, kind: 'Group', name });
