/** Refuses new external IPs of services. */
import type { AdmissionPlugin } from '@coxswain/apiserver';
import type { Service } from '@coxswain/api/core/v1/service.ts';
import { isTo, objectOf, on, refused } from '../attributes.ts';
import { resources } from '../../object-reader.ts';

export const denyServiceExternalIps: AdmissionPlugin = {
  name: 'DenyServiceExternalIPs',
  handles: on('CREATE', 'UPDATE'),
  validate(attributes) {
    if (!isTo(attributes, resources.services)) return;
    const { externalIPs = [] } = objectOf<Service>(attributes).spec;
    const old = (attributes.oldObject as unknown as Service | undefined)?.spec.externalIPs ?? [];
    if ((externalIPs ?? []).every((ip) => old.includes(ip))) return;
    throw refused(attributes, 'Use of external IPs is denied by admission control');
  },
};
