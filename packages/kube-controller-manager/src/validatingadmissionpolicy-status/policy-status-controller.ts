/**
 * Reports in the status of a ValidatingAdmissionPolicy which type errors its expressions have for the matched kinds.
 */
import { ignoring, type KubeObject } from '@coxswain/apimachinery';
import {
  expressionWarnings,
  type CheckedPolicy,
} from '@coxswain/api/admissionregistration/policy-type-check.ts';
import type { Controller } from '../controller.ts';
import { startReconciler } from '../reconciler.ts';
import { servedTypes, type MatchedRule } from './served-types.ts';

interface Policy extends KubeObject {
  readonly spec: CheckedPolicy & {
    readonly paramKind?: { readonly apiVersion?: string; readonly kind?: string } | null;
    readonly matchConstraints?: { readonly resourceRules?: readonly MatchedRule[] | null } | null;
  };
  readonly status?: { readonly observedGeneration?: number };
}

const controllerName = 'validatingadmissionpolicy-status-controller';
const fieldManager = 'validatingadmissionpolicy-status';
const apiVersion = 'admissionregistration.k8s.io/v1';
const policyResource = {
  group: 'admissionregistration.k8s.io',
  version: 'v1',
  resource: 'validatingadmissionpolicies',
};

export const policyStatusController: Controller = {
  name: controllerName,
  serviceAccount: controllerName,
  start(context) {
    const policies = context.informers.informer<Policy>(policyResource);
    const client = context.client.resource(policyResource);
    const reconciler = startReconciler(context, {
      queueName: 'validatingadmissionpolicy-status',
      ready: () => policies.synced,
      reconcile: async function syncPolicyStatus(name) {
        const policy = policies.lister.get(name);
        const generation = policy?.metadata.generation ?? 0;
        if (policy === undefined || generation <= (policy.status?.observedGeneration ?? 0)) return;
        const { spec } = policy;
        const types = servedTypes(context.client.rest, context.clock);
        const kinds = await types.ofRules(spec.matchConstraints?.resourceRules ?? []);
        const params = spec.paramKind == null ? undefined : await types.ofKind(spec.paramKind);
        const warnings = expressionWarnings(spec, kinds, params);
        const typeChecking = warnings.length === 0 ? {} : { expressionWarnings: warnings };
        const status = { observedGeneration: generation, typeChecking };
        const applied = { apiVersion, kind: 'ValidatingAdmissionPolicy', metadata: { name }, status };
        await ignoring(
          'NotFound',
          client.apply(applied as KubeObject, { fieldManager, force: true, subresource: 'status' }),
        );
      },
    });
    const wake = (policy: Policy) => reconciler.addObject(policy);
    policies.addHandler({ added: wake, updated: (_, policy) => wake(policy) });
  },
};
