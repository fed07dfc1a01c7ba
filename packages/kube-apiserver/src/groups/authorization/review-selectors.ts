/** Converts the selectors of an access review to those of a request, as far as they can be parsed. */
import {
  fieldSelectorOf,
  labelSelectorFromSpec,
  labelSelectorOf,
  parseFieldSelector,
  parseLabelSelector,
  type FieldTerm,
  type Requirement,
} from '@coxswain/apimachinery';
import type { ResourceAttributes } from '@coxswain/api/authorization/v1/resource-attributes.ts';

export interface ReadSelectors {
  readonly fieldSelector?: string;
  readonly labelSelector?: string;
  /** Problems of requirements that could not be parsed; authorization continues without them. */
  readonly problems: readonly string[];
}

/** A selector's text, a problem, or both if some requirements were left out. */
interface Read {
  readonly text: string;
  readonly failed: boolean;
}

export function readSelectors({ fieldSelector, labelSelector }: ResourceAttributes): ReadSelectors {
  const fields = fieldSelector && readFields(fieldSelector);
  const labels = labelSelector && readLabels(labelSelector);
  return {
    ...(fields?.text && { fieldSelector: fields.text }),
    ...(labels?.text && { labelSelector: labels.text }),
    problems: [...problemOf('fieldSelector', fields), ...problemOf('labelSelector', labels)],
  };
}

function problemOf(name: string, read: Read | undefined): string[] {
  if (!read?.failed) return [];
  const part = read.text === '' ? 'ignored' : 'partially ignored';
  return [`spec.resourceAttributes.${name} ${part} due to parse error`];
}

type Fields = NonNullable<ResourceAttributes['fieldSelector']>;
type Labels = NonNullable<ResourceAttributes['labelSelector']>;

function readFields({ rawSelector, requirements }: Fields): Read {
  if (rawSelector) return readText(() => parseFieldSelector(rawSelector).toString());
  const terms = (requirements ?? []).map(termOf);
  const known = terms.filter((term) => term !== undefined);
  return { text: fieldSelectorOf(known).toString(), failed: known.length < terms.length };
}

/** Undefined for requirements that field selectors cannot express: several values, existence. */
function termOf({
  key,
  operator,
  values = [],
}: NonNullable<Fields['requirements']>[number]): FieldTerm | undefined {
  if (values?.length !== 1 || (operator !== 'In' && operator !== 'NotIn')) return undefined;
  return { field: key, operator: operator === 'In' ? '=' : '!=', value: values[0]! };
}

function readLabels({ rawSelector, requirements }: Labels): Read {
  if (rawSelector) return readText(() => parseLabelSelector(rawSelector).toString());
  const known: Requirement[] = [];
  let failed = false;
  for (const expression of requirements ?? []) {
    try {
      known.push(...labelSelectorFromSpec({ matchExpressions: [expression] }).requirements);
    } catch {
      failed = true;
    }
  }
  return { text: labelSelectorOf(known).toString(), failed };
}

function readText(read: () => string): Read {
  try {
    return { text: read(), failed: false };
  } catch {
    return { text: '', failed: true };
  }
}
