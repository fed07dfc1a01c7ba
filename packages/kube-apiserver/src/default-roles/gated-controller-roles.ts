import type { FeatureGates } from '@coxswain/component-base/features/feature-gates.ts';
import { allow, when, type RoleTable } from './policy-rule.ts';

/** Controller roles that exist only if all the features are enabled. */
const gatedRoles: readonly (readonly [features: readonly string[], roles: RoleTable])[] = [
  [
    ['DynamicResourceAllocation', 'DRADeviceTaints'],
    {
      'system:controller:device-taint-eviction-controller': [
        allow('delete get list watch', 'core', 'pods'),
        allow('patch update', 'core', 'pods/status'),
        allow('get list watch', 'resource.k8s.io', 'resourceclaims'),
        allow('get list watch', 'resource.k8s.io', 'resourceslices'),
        allow('get list watch', 'resource.k8s.io', 'deviceclasses'),
        allow('create patch update', 'core events.k8s.io', 'events'),
        ...when(
          'DRADeviceTaintRules',
          allow('patch update', 'resource.k8s.io', 'devicetaintrules/status'),
          allow('get list watch', 'resource.k8s.io', 'devicetaintrules'),
        ),
      ],
    },
  ],
  [
    ['DynamicResourceAllocation'],
    {
      'system:controller:resource-claim-controller': [
        allow('get list watch', 'core', 'pods'),
        allow('update', 'core', 'pods/finalizers'),
        allow('create delete get list watch', 'resource.k8s.io', 'resourceclaims'),
        allow('patch update', 'resource.k8s.io', 'resourceclaims resourceclaims/status'),
        allow('patch update', 'core', 'pods/status'),
        allow('create patch update', 'core events.k8s.io', 'events'),
        ...when(
          'DRAWorkloadResourceClaims',
          allow('get list watch', 'scheduling.k8s.io', 'podgroups'),
          allow('patch update', 'scheduling.k8s.io', 'podgroups/status'),
        ),
        ...when(
          'DRAResourceClaimGranularStatusAuthorization',
          allow('patch update', 'resource.k8s.io', 'resourceclaims/binding'),
        ),
      ],
    },
  ],
  [
    ['VolumeAttributesClass'],
    {
      'system:controller:volumeattributesclass-protection-controller': [
        allow('get list watch', 'core', 'persistentvolumeclaims'),
        allow('get list watch', 'core', 'persistentvolumes'),
        allow('get list update watch', 'storage.k8s.io', 'volumeattributesclasses'),
        allow('create patch update', 'core events.k8s.io', 'events'),
      ],
    },
  ],
  [
    ['SELinuxChangePolicy'],
    {
      'system:controller:selinux-warning-controller': [
        allow('create patch update', 'core events.k8s.io', 'events'),
        allow('get list watch', 'core', 'persistentvolumes'),
        allow('get list watch', 'core', 'persistentvolumeclaims'),
        allow('get list watch', 'core', 'pods'),
        allow('get list watch', 'storage.k8s.io', 'csidrivers'),
      ],
    },
  ],
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
