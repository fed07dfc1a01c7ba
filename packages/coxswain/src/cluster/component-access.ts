/**
 * The permissions of those components of a cluster with real nodes that upstream does not have: only what each needs,
 * as roles that reviewers can read. The kubelet and kube-proxy have upstream's.
 */
import { clusterDnsUser, loadBalancersUser, nodeNetworkUser } from '../components/component-users.ts';
import { nameServerNamespace, nameServerService, nameServerSlice } from '../names/dns-objects.ts';
import {
  clusterRole,
  clusterRoleBinding,
  group,
  role,
  roleBinding,
  user,
  type Addon,
  type PolicyRule,
} from '../components/addon.ts';

const reads = ['get', 'list', 'watch'];
const discovery = 'discovery.k8s.io';

/** Sets up routes to the pods of other nodes, and policies for its own pods. */
const nodeNetwork: readonly PolicyRule[] = [
  { apiGroups: [''], resources: ['namespaces', 'pods', 'nodes'], verbs: reads },
  { apiGroups: ['networking.k8s.io'], resources: ['networkpolicies'], verbs: reads },
];

/** Publishes its address; the data for its answers is in the caches that all components of the process share. */
const clusterDns: readonly PolicyRule[] = [
  { apiGroups: [''], resources: ['services'], verbs: ['create'] },
  { apiGroups: [''], resources: ['services'], resourceNames: [nameServerService], verbs: ['patch'] },
  { apiGroups: [discovery], resources: ['endpointslices'], verbs: ['create'] },
  {
    apiGroups: [discovery],
    resources: ['endpointslices'],
    resourceNames: [nameServerSlice],
    verbs: ['patch'],
  },
];

const loadBalancers: readonly PolicyRule[] = [
  { apiGroups: [''], resources: ['services/status'], verbs: ['patch'] },
  { apiGroups: ['', 'events.k8s.io'], resources: ['events'], verbs: ['create', 'patch', 'update'] },
];

/** @param areJoined whether other machines are nodes, whose network component uses the node's certificate */
export const componentAccess = (areJoined: boolean): readonly Addon[] => [
  clusterRole(nodeNetworkRole, nodeNetwork),
  clusterRoleBinding(nodeNetworkRole, nodeNetworkRole, [
    user(nodeNetworkUser.name),
    ...(areJoined ? [group('system:nodes')] : []),
  ]),
  role(nameServerNamespace, clusterDnsRole, clusterDns),
  roleBinding(nameServerNamespace, clusterDnsRole, [user(clusterDnsUser.name)]),
  clusterRole(loadBalancersRole, loadBalancers),
  clusterRoleBinding(loadBalancersRole, loadBalancersRole, [user(loadBalancersUser.name)]),
];

const nodeNetworkRole = 'coxswain:node-network';
const clusterDnsRole = 'coxswain:cluster-dns';
const loadBalancersRole = 'coxswain:load-balancers';
