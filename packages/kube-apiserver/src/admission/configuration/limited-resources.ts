/** The configuration of ResourceQuota: resources that may be used only with a quota that covers them. */
import { aggregateFieldErrors, requiredError } from '@coxswain/apimachinery';
import { list, optional, always, string, struct } from '@coxswain/schema';
import { decodeConfiguration } from '@coxswain/apimachinery/configuration/decode-configuration.ts';

export interface LimitedResource {
  readonly apiGroup?: string;
  readonly resource: string;
  /** Substrings of the limited resources' names: `.storageclass.storage.k8s.io/requests.storage`. */
  readonly matchContains?: readonly string[];
  readonly matchScopes?: readonly LimitedScope[];
}

export interface LimitedScope {
  readonly scopeName: string;
  readonly operator: string;
  readonly values?: readonly string[];
}

const Scope = struct('ScopedResourceSelectorRequirement', {
  scopeName: always(1, string),
  operator: always(2, string),
  values: optional(3, list(string)),
});

const Limited = struct('LimitedResource', {
  apiGroup: optional(1, string),
  resource: always(2, string),
  matchContains: optional(3, list(string)),
  matchScopes: optional(4, list(Scope)),
});

const form = {
  kinds: [
    'apiserver.config.k8s.io/v1 ResourceQuotaConfiguration',
    'resourcequota.admission.k8s.io/v1alpha1 Configuration',
    'resourcequota.admission.k8s.io/v1beta1 Configuration',
  ],
  type: struct('Configuration', {
    kind: optional(0, string),
    apiVersion: optional(0, string),
    limitedResources: always(1, list(Limited)),
  }),
  isStrict: true,
};

/** @throws Error with upstream's message */
export function readLimitedResources(text: string | undefined): readonly LimitedResource[] {
  if (text === undefined) return [];
  const limited = (decodeConfiguration(text, form).limitedResources ?? []) as readonly LimitedResource[];
  const errors = limited.flatMap(({ resource }, index) =>
    resource === '' ? [requiredError(`limitedResources[${index}].resource`)] : [],
  );
  if (errors.length > 0) throw new Error(aggregateFieldErrors(errors));
  return limited;
}
