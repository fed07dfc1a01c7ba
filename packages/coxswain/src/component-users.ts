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

/** A kubelet of this process; its name is that of its node's user, its rights are the administrator's. */
export const nodeUser = (name: string): UserInfo => ({
  name: `system:node:${name}`,
  groups: ['system:nodes', 'system:masters', authenticated],
});

export const serviceAccountUser = (name: string): UserInfo => ({
  name: `system:serviceaccount:kube-system:${name}`,
  groups: ['system:serviceaccounts', 'system:serviceaccounts:kube-system', authenticated],
});
