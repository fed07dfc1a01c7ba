/** Who the components are to the API server: the users and groups of the original. */

import type { UserInfo } from '@coxswain/apiserver';

const authenticated = 'system:authenticated';

export const administrator: UserInfo = {
  name: 'kubernetes-admin',
  groups: ['system:masters', authenticated],
};

export const controllerManagerUser: UserInfo = {
  name: 'system:kube-controller-manager',
  groups: [authenticated],
};

export const proxyUser: UserInfo = { name: 'system:kube-proxy', groups: [authenticated] };

export const schedulerUser: UserInfo = { name: 'system:kube-scheduler', groups: [authenticated] };

/** One kubelet process stands for all simulated nodes, so it is no single node's user. */
export const nodesUser: UserInfo = {
  name: 'system:coxswain:kubelets',
  groups: ['system:masters', authenticated],
};

/** The kubelet of a real node: the Node authorizer and NodeRestriction say what it may. */
export const nodeUser = (name: string): UserInfo => ({
  name: `system:node:${name}`,
  groups: ['system:nodes', authenticated],
});

/** Routes to pods of other nodes, and network policies. */
export const nodeNetworkUser: UserInfo = { name: 'system:coxswain:node-network', groups: [authenticated] };

export const clusterDnsUser: UserInfo = { name: 'system:coxswain:cluster-dns', groups: [authenticated] };

export const loadBalancersUser: UserInfo = {
  name: 'system:coxswain:load-balancers',
  groups: [authenticated],
};

export const serviceAccountUser = (name: string): UserInfo => ({
  name: `system:serviceaccount:kube-system:${name}`,
  groups: ['system:serviceaccounts', 'system:serviceaccounts:kube-system', authenticated],
});
