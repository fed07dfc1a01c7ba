import { AuditSink } from '@coxswain/api/auditregistration/v1alpha1/index.ts';
import { legacyVersion, resource, type Group } from '../resource.ts';

/** Gone from the original since 1.19; sinks are kept, and nothing is sent to them. */
export const auditregistrationGroup: Group = {
  name: 'auditregistration.k8s.io',
  versions: [legacyVersion('v1alpha1')],
  resources: [resource(AuditSink, { legacy: true, generation: 'spec' })],
};
