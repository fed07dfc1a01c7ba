/** The identities of the components towards the API server: upstream's users and groups. */

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

/** A single kubelet process stands for all simulated nodes, so its user is not that of a node. */
export const nodesUser: UserInfo = {
  name: 'system:coxswain:kubelets',
  groups: ['system:masters', authenticated],
};

/** The kubelet of a real node, restricted by the Node authorizer and NodeRestriction. */
export const nodeUser = (name: string): UserInfo => ({
  name: `system:node:${name}`,
  groups: ['system:nodes', authenticated],
});

/** Sets up routes to the pods of other nodes, and network policies. */
export const nodeNetworkUser: UserInfo = { name: 'system:coxswain:node-network', groups: [authenticated] };

export const clusterDnsUser: UserInfo = { name: 'system:coxswain:cluster-dns', groups: [authenticated] };

export const addonsUser: UserInfo = {
  name: 'system:coxswain:addons',
  groups: ['system:masters', authenticated],
};

export const loadBalancersUser: UserInfo = {
  name: 'system:coxswain:load-balancers',
  groups: [authenticated],
};

export const serviceAccountUser = (name: string): UserInfo => ({
  name: `system:serviceaccount:kube-system:${name}`,
  groups: ['system:serviceaccounts', 'system:serviceaccounts:kube-system', authenticated],
});

/** By prefix of the user's name. */
const programs: readonly (readonly [name: string, program: string])[] = [
  [controllerManagerUser.name, 'kube-controller-manager'],
  ['system:serviceaccount:kube-system:', 'kube-controller-manager'],
  [schedulerUser.name, 'kube-scheduler'],
  [nodesUser.name, 'kubelet'],
  ['system:node:', 'kubelet'],
  [proxyUser.name, 'kube-proxy'],
];

/**
 * Returns the User-Agent of a component: the name of its upstream program, which then owns the fields that it writes.
 */
export function userAgentOf({ name }: UserInfo): string {
  const found = programs.find(([beginning]) => name.startsWith(beginning));
  return found === undefined ? 'coxswain' : `${found[1]}/coxswain`;
}
