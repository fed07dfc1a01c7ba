/** Makes the SubjectAccessReview that is sent to an authorization webhook. */
import { parseFieldSelector, parseLabelSelector } from '@coxswain/apimachinery';
import type { AuthorizationAttributes } from '@coxswain/apiserver';

export interface SelectorRequirement {
  readonly key: string;
  readonly operator: string;
  readonly values?: readonly string[];
}

export interface ResourceQuestion {
  readonly namespace?: string;
  readonly verb?: string;
  readonly group?: string;
  readonly version?: string;
  readonly resource?: string;
  readonly subresource?: string;
  readonly name?: string;
  readonly fieldSelector?: { readonly requirements: readonly SelectorRequirement[] };
  readonly labelSelector?: { readonly requirements: readonly SelectorRequirement[] };
}

export interface AccessReviewSpec {
  readonly resourceAttributes?: ResourceQuestion;
  readonly nonResourceAttributes?: { readonly path?: string; readonly verb?: string };
  readonly user?: string;
  readonly groups?: readonly string[];
  readonly extra?: Readonly<Record<string, readonly string[]>>;
  readonly uid?: string;
}

export function accessReviewSpec(attributes: AuthorizationAttributes): AccessReviewSpec {
  const { user, verb, path } = attributes;
  return {
    ...(attributes.isResourceRequest
      ? { resourceAttributes: resourceQuestion(attributes) }
      : { nonResourceAttributes: withoutEmpty({ path, verb }) }),
    ...withoutEmpty({ user: user.name }),
    ...(user.groups.length > 0 ? { groups: user.groups } : {}),
    ...(user.extra && Object.keys(user.extra).length > 0 ? { extra: user.extra } : {}),
    ...withoutEmpty({ uid: user.uid ?? '' }),
  };
}

function resourceQuestion({
  namespace,
  verb,
  group,
  version,
  resource,
  subresource,
  name,
  fieldSelector,
  labelSelector,
}: AuthorizationAttributes): ResourceQuestion {
  const fields = fieldRequirements(fieldSelector);
  const labels = labelRequirements(labelSelector);
  return {
    ...withoutEmpty({ namespace, verb, group, version, resource, subresource, name }),
    ...(fields.length > 0 ? { fieldSelector: { requirements: fields } } : {}),
    ...(labels.length > 0 ? { labelSelector: { requirements: labels } } : {}),
  };
}

const withoutEmpty = <T extends Readonly<Record<string, string>>>(members: T): Partial<T> =>
  Object.fromEntries(Object.entries(members).filter(([, value]) => value !== '')) as Partial<T>;

/** Invalid requirements are omitted, since selectors only narrow the request. */
function fieldRequirements(selector = ''): SelectorRequirement[] {
  try {
    return parseFieldSelector(selector).terms.map(({ field, operator, value }) => ({
      key: field,
      operator: operator === '=' ? 'In' : 'NotIn',
      values: [value],
    }));
  } catch {
    return [];
  }
}

const labelOperators: Readonly<Record<string, string>> = {
  '=': 'In',
  '==': 'In',
  in: 'In',
  '!=': 'NotIn',
  notin: 'NotIn',
  exists: 'Exists',
  '!': 'DoesNotExist',
};

function labelRequirements(selector = ''): SelectorRequirement[] {
  try {
    return parseLabelSelector(selector).requirements.flatMap(({ key, operator, values }) => {
      const known = labelOperators[operator];
      if (known === undefined) return [];
      return [{ key, operator: known, ...(values.length > 0 ? { values: [...values] } : {}) }];
    });
  } catch {
    return [];
  }
}
