import * as t from '@coxswain/schema';
import { ageColumn, column, nameColumn } from '../../meta/columns.ts';
import { validateApiService, validateApiServiceStatus } from '../api-service-validation.ts';
import { APIServiceSpec, APIServiceStatus } from './api-service-spec.ts';

export const APIService = t.kind(
  'apiregistration/v1.APIService',
  'apiregistration.k8s.io/v1',
  { plural: 'apiservices', categories: ['api-extensions'], namespaced: false },
  {
    metadata: t.optional(1, t.ObjectMeta, { go: 'ObjectMeta' }),
    spec: t.optional(2, APIServiceSpec),
    status: t.optional(3, APIServiceStatus),
  },
  {
    validate: validateApiService,
    validateStatus: validateApiServiceStatus,
    columns: [
      nameColumn,
      column('Service', ({ spec }) =>
        spec?.service == null ? 'Local' : `${spec.service.namespace ?? ''}/${spec.service.name ?? ''}`,
      ),
      column('Available', ({ status }) => {
        const available = (status?.conditions ?? []).find(({ type }) => type === 'Available');
        if (available === undefined) return 'Unknown';
        return available.status !== 'True' && available.reason
          ? `${available.status} (${available.reason})`
          : available.status;
      }),
      ageColumn,
    ],
  },
);
export interface APIService extends t.Static<typeof APIService> {}
