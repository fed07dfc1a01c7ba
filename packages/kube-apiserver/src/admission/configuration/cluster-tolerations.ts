/** The configuration of PodTolerationRestriction. */
import { fieldErrorText } from '@coxswain/apimachinery';
import { FieldPath } from '@coxswain/apimachinery/field-path.ts';
import { list, optional, string, struct } from '@coxswain/schema';
import { Errors } from '@coxswain/api/meta/checks.ts';
import { validateTolerations } from '@coxswain/api/core/v1/pod/scheduling-validation.ts';
import { Toleration } from '@coxswain/api/core/v1/taint.ts';
import { decodeConfiguration } from '@coxswain/apimachinery/configuration/decode-configuration.ts';
import type { ClusterTolerations } from '../plugins/pod-toleration-restriction.ts';

const form = {
  kinds: ['podtolerationrestriction.admission.k8s.io/v1alpha1 Configuration'],
  type: struct('Configuration', {
    kind: optional(0, string),
    apiVersion: optional(0, string),
    default: optional(1, list(Toleration)),
    whitelist: optional(2, list(Toleration)),
  }),
  isStrict: false,
};

/** @throws Error with upstream's message */
export function readClusterTolerations(text: string | undefined): ClusterTolerations {
  if (text === undefined) return { default: [], whitelist: [] };
  const stated = decodeConfiguration(text, form);
  const tolerations = { default: stated.default ?? [], whitelist: stated.whitelist ?? [] };
  const errors = new Errors();
  const path = FieldPath.of('podtolerationrestriction');
  const options = { tolerationComparisons: false };
  validateTolerations(tolerations.default, path.child('default'), options, errors);
  validateTolerations(tolerations.whitelist, path.child('whitelist'), options, errors);
  if (errors.length > 0) throw new Error(`invalid config: [${errors.map(fieldErrorText).join(' ')}]`);
  return tolerations;
}
