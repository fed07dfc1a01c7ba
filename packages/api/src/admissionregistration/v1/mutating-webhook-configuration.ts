import * as t from '@coxswain/schema';
import { nameColumn, column, ageColumn } from '../../meta/columns.ts';
import { validateWebhooks } from '../webhook-validation.ts';
import { MutatingWebhook } from './mutating-webhook.ts';

export const MutatingWebhookConfiguration = t.kind(
  'admissionregistration/v1.MutatingWebhookConfiguration',
  'admissionregistration.k8s.io/v1',
  { plural: 'mutatingwebhookconfigurations', categories: ['api-extensions'], namespaced: false },
  {
    metadata: t.optional(1, t.ObjectMeta, { go: 'ObjectMeta' }),
    webhooks: t.optional(2, t.listMap(MutatingWebhook, ['name']), {
      patch: 'merge',
      patchKey: 'name',
      proto: 'Webhooks',
    }),
  },
  {
    validate: validateWebhooks,
    columns: [
      nameColumn,
      column('Webhooks', ({ webhooks }) => (webhooks ?? []).length, 'integer'),
      ageColumn,
    ],
  },
);
export interface MutatingWebhookConfiguration extends t.Static<typeof MutatingWebhookConfiguration> {}
