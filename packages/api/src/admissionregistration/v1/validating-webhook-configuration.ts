import * as t from '@coxswain/schema';
import { nameColumn, column, ageColumn } from '../../meta/columns.ts';
import { validateWebhooks } from '../webhook-validation.ts';
import { ValidatingWebhook } from './validating-webhook.ts';

export const ValidatingWebhookConfiguration = t.kind(
  'admissionregistration/v1.ValidatingWebhookConfiguration',
  'admissionregistration.k8s.io/v1',
  { plural: 'validatingwebhookconfigurations', categories: ['api-extensions'], namespaced: false },
  {
    metadata: t.optional(1, t.ObjectMeta, { go: 'ObjectMeta' }),
    webhooks: t.optional(2, t.listMap(ValidatingWebhook, ['name']), {
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
export interface ValidatingWebhookConfiguration extends t.Static<typeof ValidatingWebhookConfiguration> {}
