import { allow, type RoleTable } from './policy-rule.ts';

/** Roles in the system namespaces, by namespace. */
export const namespacedRoles: Readonly<Record<string, RoleTable>> = {
  'kube-public': {
    'system:controller:bootstrap-signer': [
      allow('get list watch', 'core', 'configmaps'),
      allow('update', 'core', 'configmaps', 'cluster-info'),
      allow('create patch update', 'core events.k8s.io', 'events'),
    ],
  },
  'kube-system': {
    'extension-apiserver-authentication-reader': [
      allow('get list watch', 'core', 'configmaps', 'extension-apiserver-authentication'),
    ],
    'system::leader-locking-kube-controller-manager': [
      allow('create get list update watch', 'coordination.k8s.io', 'leases'),
      allow('create get list update watch', 'coordination.k8s.io', 'leasecandidates'),
    ],
    'system::leader-locking-kube-scheduler': [
      allow('create get list update watch', 'coordination.k8s.io', 'leases'),
      allow('create get list update watch', 'coordination.k8s.io', 'leasecandidates'),
    ],
    'system:controller:bootstrap-signer': [allow('get list watch', 'core', 'secrets')],
    'system:controller:cloud-provider': [allow('create get list watch', 'core', 'configmaps')],
    'system:controller:token-cleaner': [
      allow('delete get list watch', 'core', 'secrets'),
      allow('create patch update', 'core events.k8s.io', 'events'),
    ],
  },
};
