/** Every group version that this package describes, by its directory. A group's kinds are the values of its namespace. */
import * as admission_v1 from './admission/v1/index.ts';
import * as admission_v1beta1 from './admission/v1beta1.ts';
import * as admissionregistration_v1 from './admissionregistration/v1/index.ts';
import * as admissionregistration_v1alpha1 from './admissionregistration/v1alpha1.ts';
import * as admissionregistration_v1beta1 from './admissionregistration/v1beta1.ts';
import * as apidiscovery_v2 from './apidiscovery/v2/index.ts';
import * as apidiscovery_v2beta1 from './apidiscovery/v2beta1.ts';
import * as apiextensions_v1 from './apiextensions/v1/index.ts';
import * as apiextensions_v1beta1 from './apiextensions/v1beta1.ts';
import * as apiregistration_v1 from './apiregistration/v1/index.ts';
import * as apiregistration_v1beta1 from './apiregistration/v1beta1.ts';
import * as apiserverinternal_v1alpha1 from './apiserverinternal/v1alpha1/index.ts';
import * as apps_v1 from './apps/v1/index.ts';
import * as apps_v1beta1 from './apps/v1beta1.ts';
import * as apps_v1beta2 from './apps/v1beta2.ts';
import * as auditregistration_v1alpha1 from './auditregistration/v1alpha1.ts';
import * as authentication_v1 from './authentication/v1/index.ts';
import * as authentication_v1alpha1 from './authentication/v1alpha1.ts';
import * as authentication_v1beta1 from './authentication/v1beta1.ts';
import * as authorization_v1 from './authorization/v1/index.ts';
import * as authorization_v1beta1 from './authorization/v1beta1.ts';
import * as autoscaling_v1 from './autoscaling/v1/index.ts';
import * as autoscaling_v2 from './autoscaling/v2/index.ts';
import * as autoscaling_v2beta1 from './autoscaling/v2beta1.ts';
import * as autoscaling_v2beta2 from './autoscaling/v2beta2.ts';
import * as batch_v1 from './batch/v1/index.ts';
import * as batch_v1beta1 from './batch/v1beta1.ts';
import * as certificates_v1 from './certificates/v1/index.ts';
import * as certificates_v1alpha1 from './certificates/v1alpha1.ts';
import * as certificates_v1beta1 from './certificates/v1beta1/index.ts';
import * as coordination_v1 from './coordination/v1/index.ts';
import * as coordination_v1alpha2 from './coordination/v1alpha2.ts';
import * as coordination_v1beta1 from './coordination/v1beta1.ts';
import * as core_v1 from './core/v1/index.ts';
import * as discovery_v1 from './discovery/v1/index.ts';
import * as discovery_v1beta1 from './discovery/v1beta1.ts';
import * as events_v1 from './events/v1/index.ts';
import * as events_v1beta1 from './events/v1beta1.ts';
import * as extensions_v1beta1 from './extensions/v1beta1.ts';
import * as flowcontrol_v1 from './flowcontrol/v1/index.ts';
import * as flowcontrol_v1beta1 from './flowcontrol/v1beta1.ts';
import * as flowcontrol_v1beta2 from './flowcontrol/v1beta2.ts';
import * as flowcontrol_v1beta3 from './flowcontrol/v1beta3.ts';
import * as imagepolicy_v1alpha1 from './imagepolicy/v1alpha1.ts';
import * as meta_v1 from './meta/v1/index.ts';
import * as networking_v1 from './networking/v1/index.ts';
import * as networking_v1beta1 from './networking/v1beta1.ts';
import * as node_v1 from './node/v1/index.ts';
import * as node_v1alpha1 from './node/v1alpha1.ts';
import * as node_v1beta1 from './node/v1beta1.ts';
import * as policy_v1 from './policy/v1/index.ts';
import * as policy_v1beta1 from './policy/v1beta1.ts';
import * as rbac_v1 from './rbac/v1/index.ts';
import * as rbac_v1alpha1 from './rbac/v1alpha1.ts';
import * as rbac_v1beta1 from './rbac/v1beta1.ts';
import * as resource_v1 from './resource/v1/index.ts';
import * as resource_v1alpha3 from './resource/v1alpha3/index.ts';
import * as resource_v1beta1 from './resource/v1beta1.ts';
import * as resource_v1beta2 from './resource/v1beta2.ts';
import * as scheduling_v1 from './scheduling/v1/index.ts';
import * as scheduling_v1alpha2 from './scheduling/v1alpha2/index.ts';
import * as scheduling_v1beta1 from './scheduling/v1beta1.ts';
import * as settings_v1alpha1 from './settings/v1alpha1.ts';
import * as storage_v1 from './storage/v1/index.ts';
import * as storage_v1alpha1 from './storage/v1alpha1.ts';
import * as storage_v1beta1 from './storage/v1beta1.ts';
import * as storagemigration_v1beta1 from './storagemigration/v1beta1/index.ts';
import type { Kind } from '@coxswain/schema';

const modules = {
  'admission/v1': admission_v1,
  'admission/v1beta1': admission_v1beta1,
  'admissionregistration/v1': admissionregistration_v1,
  'admissionregistration/v1alpha1': admissionregistration_v1alpha1,
  'admissionregistration/v1beta1': admissionregistration_v1beta1,
  'apidiscovery/v2': apidiscovery_v2,
  'apidiscovery/v2beta1': apidiscovery_v2beta1,
  'apiextensions/v1': apiextensions_v1,
  'apiextensions/v1beta1': apiextensions_v1beta1,
  'apiregistration/v1': apiregistration_v1,
  'apiregistration/v1beta1': apiregistration_v1beta1,
  'apiserverinternal/v1alpha1': apiserverinternal_v1alpha1,
  'apps/v1': apps_v1,
  'apps/v1beta1': apps_v1beta1,
  'apps/v1beta2': apps_v1beta2,
  'auditregistration/v1alpha1': auditregistration_v1alpha1,
  'authentication/v1': authentication_v1,
  'authentication/v1alpha1': authentication_v1alpha1,
  'authentication/v1beta1': authentication_v1beta1,
  'authorization/v1': authorization_v1,
  'authorization/v1beta1': authorization_v1beta1,
  'autoscaling/v1': autoscaling_v1,
  'autoscaling/v2': autoscaling_v2,
  'autoscaling/v2beta1': autoscaling_v2beta1,
  'autoscaling/v2beta2': autoscaling_v2beta2,
  'batch/v1': batch_v1,
  'batch/v1beta1': batch_v1beta1,
  'certificates/v1': certificates_v1,
  'certificates/v1alpha1': certificates_v1alpha1,
  'certificates/v1beta1': certificates_v1beta1,
  'coordination/v1': coordination_v1,
  'coordination/v1alpha2': coordination_v1alpha2,
  'coordination/v1beta1': coordination_v1beta1,
  'core/v1': core_v1,
  'discovery/v1': discovery_v1,
  'discovery/v1beta1': discovery_v1beta1,
  'events/v1': events_v1,
  'events/v1beta1': events_v1beta1,
  'extensions/v1beta1': extensions_v1beta1,
  'flowcontrol/v1': flowcontrol_v1,
  'flowcontrol/v1beta1': flowcontrol_v1beta1,
  'flowcontrol/v1beta2': flowcontrol_v1beta2,
  'flowcontrol/v1beta3': flowcontrol_v1beta3,
  'imagepolicy/v1alpha1': imagepolicy_v1alpha1,
  'meta/v1': meta_v1,
  'networking/v1': networking_v1,
  'networking/v1beta1': networking_v1beta1,
  'node/v1': node_v1,
  'node/v1alpha1': node_v1alpha1,
  'node/v1beta1': node_v1beta1,
  'policy/v1': policy_v1,
  'policy/v1beta1': policy_v1beta1,
  'rbac/v1': rbac_v1,
  'rbac/v1alpha1': rbac_v1alpha1,
  'rbac/v1beta1': rbac_v1beta1,
  'resource/v1': resource_v1,
  'resource/v1alpha3': resource_v1alpha3,
  'resource/v1beta1': resource_v1beta1,
  'resource/v1beta2': resource_v1beta2,
  'scheduling/v1': scheduling_v1,
  'scheduling/v1alpha2': scheduling_v1alpha2,
  'scheduling/v1beta1': scheduling_v1beta1,
  'settings/v1alpha1': settings_v1alpha1,
  'storage/v1': storage_v1,
  'storage/v1alpha1': storage_v1alpha1,
  'storage/v1beta1': storage_v1beta1,
  'storagemigration/v1beta1': storagemigration_v1beta1,
} satisfies Record<string, Record<string, unknown>>;

export type GroupVersionDirectory = keyof typeof modules;

const isKind = (value: unknown): value is Kind =>
  typeof value === 'object' && value !== null && 'listType' in value && 'apiVersion' in value;

const known = new Map<GroupVersionDirectory, readonly Kind[]>();

/** The kinds of one group version. */
export function kindsOf(directory: GroupVersionDirectory): readonly Kind[] {
  let kinds = known.get(directory);
  if (kinds === undefined)
    known.set(
      directory,
      (kinds = Object.values(modules[directory] as Record<string, unknown>).filter(isKind)),
    );
  return kinds;
}

export const groupVersionDirectories: readonly GroupVersionDirectory[] = Object.keys(
  modules,
) as GroupVersionDirectory[];
