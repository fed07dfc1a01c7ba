import * as v1 from '@coxswain/api/admissionregistration/v1/index.ts';
import * as v1alpha1 from '@coxswain/api/admissionregistration/v1alpha1.ts';
import * as v1beta1 from '@coxswain/api/admissionregistration/v1beta1.ts';
import { legacy, onRequest, resource, served, type Group } from '../resource.ts';
import { webhookErrors } from './legacy-errors.ts';

const generation = 'spec';
const allowUnconditionalUpdate = false;
const onWebhooks = { onCreate: true, on: ['webhooks'], equality: 'exact' } as const;
/** Served as v1 but stored in the previous version, so that the previous release can read it. */
const originalStorageVersion = 'v1beta1';

export const admissionregistrationGroup: Group = {
  name: 'admissionregistration.k8s.io',
  versions: [served('v1'), onRequest('v1beta1'), onRequest('v1alpha1')],
  resources: [
    resource(v1.MutatingAdmissionPolicy, {
      generation,
      allowUnconditionalUpdate,
      originalStorageVersion,
      alsoAs: [{ kind: v1beta1.MutatingAdmissionPolicy }, { kind: v1alpha1.MutatingAdmissionPolicy }],
    }),
    resource(v1.MutatingAdmissionPolicyBinding, {
      generation,
      allowUnconditionalUpdate,
      originalStorageVersion,
      alsoAs: [
        { kind: v1beta1.MutatingAdmissionPolicyBinding },
        { kind: v1alpha1.MutatingAdmissionPolicyBinding },
      ],
    }),
    resource(v1.MutatingWebhookConfiguration, {
      alsoAs: [legacy(v1beta1.MutatingWebhookConfiguration, { errors: webhookErrors })],
      generation: onWebhooks,
      allowUnconditionalUpdate,
    }),
    resource(v1.ValidatingAdmissionPolicy, {
      status: { keepsMetadata: 'all', creates: 'by apply' },
      alsoAs: [{ kind: v1beta1.ValidatingAdmissionPolicy }],
      generation,
      allowUnconditionalUpdate,
    }),
    resource(v1.ValidatingAdmissionPolicyBinding, {
      generation,
      allowUnconditionalUpdate,
      alsoAs: [{ kind: v1beta1.ValidatingAdmissionPolicyBinding }],
    }),
    resource(v1.ValidatingWebhookConfiguration, {
      alsoAs: [legacy(v1beta1.ValidatingWebhookConfiguration, { errors: webhookErrors })],
      generation: onWebhooks,
      allowUnconditionalUpdate,
    }),
  ],
};
