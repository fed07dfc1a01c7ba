import { AuditSink } from '@coxswain/api/auditregistration/v1alpha1.ts';
import { legacyVersion, resource, type Group } from '../resource.ts';

/** Removed upstream in 1.19; sinks are stored, but no events are sent to them. */
export const auditregistrationGroup: Group = {
  name: 'auditregistration.k8s.io',
  versions: [legacyVersion('v1alpha1')],
  resources: [resource(AuditSink, { legacy: true, generation: 'spec' })],
};
