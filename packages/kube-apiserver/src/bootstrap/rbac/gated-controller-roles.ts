import type { FeatureGates } from '@coxswain/component-base/features/feature-gates.ts';
import { allow, type RoleTable } from './policy-rule.ts';

/** Roles of controllers that are there only when all the features are on. */
const gatedRoles: readonly (readonly [features: readonly string[], roles: RoleTable])[] = [
  [
    ['DRAResourcePoolStatus'],
    {
      'system:controller:resourcepoolstatusrequest-controller': [
        allow('delete get list watch', 'resource.k8s.io', 'resourcepoolstatusrequests'),
        allow('patch update', 'resource.k8s.io', 'resourcepoolstatusrequests/status'),
        allow('get list watch', 'resource.k8s.io', 'resourceslices'),
        allow('get list watch', 'resource.k8s.io', 'resourceclaims'),
        allow('create patch update', 'core events.k8s.io', 'events'),
      ],
    },
  ],
  [
    ['PodCertificateRequest'],
    {
      'system:controller:podcertificaterequestcleaner': [
        allow('delete get list watch', 'certificates.k8s.io', 'podcertificaterequests'),
      ],
    },
  ],
  [
    ['GenericWorkload'],
    {
      'system:controller:podgroup-protection-controller': [
        allow('get list update watch', 'scheduling.k8s.io', 'podgroups'),
        allow('get list watch', 'core', 'pods'),
      ],
    },
  ],
  [
    ['ClusterTrustBundle'],
    {
      'system:controller:kube-apiserver-serving-clustertrustbundle-publisher': [
        allow('attest', 'certificates.k8s.io', 'signers', 'kubernetes.io/kube-apiserver-serving'),
        allow('create delete list update watch', 'certificates.k8s.io', 'clustertrustbundles'),
        allow('create patch update', 'core events.k8s.io', 'events'),
      ],
    },
  ],
  [
    ['StorageVersionAPI', 'APIServerIdentity'],
    {
      'system:controller:storage-version-garbage-collector': [
        allow('get list watch', 'coordination.k8s.io', 'leases'),
        allow('delete get list patch update watch', 'internal.apiserver.k8s.io', 'storageversions'),
        allow('get patch update', 'internal.apiserver.k8s.io', 'storageversions/status'),
      ],
    },
  ],
  [
    ['StorageVersionMigrator'],
    {
      'system:controller:storage-version-migrator-controller': [
        allow('create list patch', '*', '*'),
        allow('get', 'apiextensions.k8s.io', 'customresourcedefinitions'),
        allow('patch', 'apiextensions.k8s.io', 'customresourcedefinitions/status'),
        allow('update', 'storagemigration.k8s.io', 'storageversionmigrations/status'),
      ],
    },
  ],
];

export const gatedControllerRoles = ({ enabled }: FeatureGates): RoleTable =>
  Object.assign(
    {},
    ...gatedRoles.filter(([features]) => features.every(enabled)).map(([, roles]) => roles),
  ) as RoleTable;
