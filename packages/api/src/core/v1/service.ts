import * as t from '@coxswain/schema';
import { balancerStatusWarnings } from './service/load-balancer-warnings.ts';
import { defaultService } from './service/service-defaults.ts';
import { serviceColumns } from './service/service-columns.ts';
import { validateService, validateServiceStatus } from './service/service-validation.ts';
import { serviceWarnings } from './service/service-warnings.ts';
import { ServiceSpec } from './service-spec.ts';
import { ServiceStatus } from './service-status.ts';

export const Service = t.kind(
  'core/v1.Service',
  'v1',
  { plural: 'services', shortNames: ['svc'], categories: ['all'], namespaced: true },
  {
    metadata: t.optional(1, t.ObjectMeta, { go: 'ObjectMeta' }),
    spec: t.optional(2, ServiceSpec),
    status: t.optional(3, ServiceStatus),
  },
  {
    defaults: [defaultService],
    validate: validateService,
    validateStatus: validateServiceStatus,
    warnings: serviceWarnings,
    statusWarnings: balancerStatusWarnings,
    columns: serviceColumns,
    selectableFields: {
      'spec.clusterIP': ({ spec }) => spec.clusterIP ?? '',
      'spec.type': ({ spec }) => spec.type ?? '',
    },
    metadataSelectors: 'listed',
  },
);
export interface Service extends t.Static<typeof Service> {}
