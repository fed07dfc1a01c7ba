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

/** By the beginning of the user's name. */
const programs: readonly (readonly [name: string, program: string])[] = [
  [controllerManagerUser.name, 'kube-controller-manager'],
  ['system:serviceaccount:kube-system:', 'kube-controller-manager'],
  [schedulerUser.name, 'kube-scheduler'],
  [nodesUser.name, 'kubelet'],
  ['system:node:', 'kubelet'],
  [proxyUser.name, 'kube-proxy'],
];

/** How a component signs its requests: the program that it would be, which then owns the fields that it writes. */
export function userAgentOf({ name }: UserInfo): string {
  const found = programs.find(([beginning]) => name.startsWith(beginning));
  return found === undefined ? 'coxswain' : `${found[1]}/coxswain`;
}
