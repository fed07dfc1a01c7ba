/** The subjects of the bootstrap roles. */

export interface Subject {
  readonly kind: 'User' | 'Group' | 'ServiceAccount';
  readonly apiGroup?: string;
  readonly name: string;
  readonly namespace?: string;
}

const apiGroup = 'rbac.authorization.k8s.io';
const user = (name: string): Subject => ({ kind: 'User', apiGroup, name });
const group = (name: string): Subject => ({ kind: 'Group', apiGroup, name });
const serviceAccount = (name: string): Subject => ({
  kind: 'ServiceAccount',
  name,
  namespace: 'kube-system',
});

/** Bindings of cluster roles; each has the name of its role. */
export const clusterRoleSubjects: Readonly<Record<string, readonly Subject[]>> = {
  'cluster-admin': [group('system:masters')],
  'system:basic-user': [group('system:authenticated')],
  'system:discovery': [group('system:authenticated')],
  'system:kube-controller-manager': [user('system:kube-controller-manager')],
  'system:kube-dns': [serviceAccount('kube-dns')],
  'system:kube-scheduler': [user('system:kube-scheduler')],
  'system:monitoring': [group('system:monitoring')],
  // Nodes are authorized by the node authorizer, so nobody is bound.
  'system:node': [],
  'system:node-proxier': [user('system:kube-proxy')],
  'system:public-info-viewer': [group('system:authenticated'), group('system:unauthenticated')],
  'system:service-account-issuer-discovery': [group('system:serviceaccounts')],
  'system:volume-scheduler': [user('system:kube-scheduler')],
};

/** The role `system:controller:job-controller` is bound to kube-system's service account `job-controller`. */
export const controllerSubject = (role: string): Subject =>
  serviceAccount(role.slice('system:controller:'.length));

export interface NamespacedBinding {
  readonly name: string;
  readonly role: string;
  readonly subjects: readonly Subject[];
}

/** Bindings of roles in the system namespaces, by namespace. */
export const namespacedBindings: Readonly<Record<string, readonly NamespacedBinding[]>> = {
  'kube-public': [
    {
      name: 'system:controller:bootstrap-signer',
      role: 'system:controller:bootstrap-signer',
      subjects: [serviceAccount('bootstrap-signer')],
    },
  ],
  'kube-system': [
    {
      name: 'system::extension-apiserver-authentication-reader',
      role: 'extension-apiserver-authentication-reader',
      subjects: [user('system:kube-controller-manager'), user('system:kube-scheduler')],
    },
    {
      name: 'system::leader-locking-kube-controller-manager',
      role: 'system::leader-locking-kube-controller-manager',
      subjects: [
        user('system:kube-controller-manager'),
        serviceAccount('kube-controller-manager'),
        serviceAccount('leader-election-controller'),
      ],
    },
    {
      name: 'system::leader-locking-kube-scheduler',
      role: 'system::leader-locking-kube-scheduler',
      subjects: [user('system:kube-scheduler'), serviceAccount('kube-scheduler')],
    },
    {
      name: 'system:controller:bootstrap-signer',
      role: 'system:controller:bootstrap-signer',
      subjects: [serviceAccount('bootstrap-signer')],
    },
    {
      name: 'system:controller:cloud-provider',
      role: 'system:controller:cloud-provider',
      subjects: [serviceAccount('cloud-provider')],
    },
    {
      name: 'system:controller:token-cleaner',
      role: 'system:controller:token-cleaner',
      subjects: [serviceAccount('token-cleaner')],
    },
  ],
};
