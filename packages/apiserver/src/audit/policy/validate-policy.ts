/** Validates an audit policy, in upstream's order and words. */
import {
  invalidError,
  notSupportedError,
  requiredError,
  type FieldError,
} from '@coxswain/apimachinery/field-error.ts';
import { checkDnsSubdomain } from '@coxswain/apimachinery/names.ts';
import { auditLevels, auditStages } from '../audit-event.ts';
import type { AuditedResources, AuditPolicy, AuditPolicyRule } from './audit-policy.ts';

export const validatePolicy = ({ omitStages, rules }: AuditPolicy): FieldError[] => [
  ...stageErrors(omitStages ?? [], 'omitStages'),
  ...(rules ?? []).flatMap((rule, index) => ruleErrors(rule, `rules[${index}]`)),
];

function ruleErrors(rule: AuditPolicyRule, field: string): FieldError[] {
  const { level = '', nonResourceURLs = [], resources = [], namespaces = [], omitStages = [] } = rule;
  const appliesToBoth = nonResourceURLs.length > 0 && (resources.length > 0 || namespaces.length > 0);
  return [
    ...levelErrors(level, `${field}.level`),
    ...nonResourceURLs.flatMap((url, index) => urlErrors(url, `${field}.nonResourceURLs[${index}]`)),
    ...resources.flatMap((one) => resourceErrors(one, `${field}.resources`)),
    ...stageErrors(omitStages, `${field}.omitStages`),
    ...(appliesToBoth
      ? [
          invalidError(
            `${field}.nonResourceURLs`,
            nonResourceURLs,
            'rules cannot apply to both regular resources and non-resource URLs',
          ),
        ]
      : []),
  ];
}

function levelErrors(level: string, field: string): FieldError[] {
  if (level === '') return [requiredError(field)];
  const isKnown = (auditLevels as readonly string[]).includes(level);
  return isKnown ? [] : [notSupportedError(field, level, auditLevels)];
}

function urlErrors(url: string, field: string): FieldError[] {
  if (url === '*') return [];
  return [
    ...(url.startsWith('/')
      ? []
      : [invalidError(field, url, "non-resource URL rules must begin with a '/' character")]),
    ...(url.slice(0, -1).includes('*')
      ? [invalidError(field, url, "non-resource URL wildcards '*' must be the final character of the rule")]
      : []),
  ];
}

function resourceErrors(
  { group = '', resources = [], resourceNames = [] }: AuditedResources,
  field: string,
): FieldError[] {
  const problems = group === '' || group === '*' ? [] : checkDnsSubdomain(group);
  return [
    ...(problems.length === 0 ? [] : [invalidError(`${field}.group`, group, problems.join(','))]),
    ...(resourceNames.length > 0 && resources.length === 0
      ? [
          invalidError(
            `${field}.resourceNames`,
            resourceNames,
            'using resourceNames requires at least one resource',
          ),
        ]
      : []),
  ];
}

const stageErrors = (stages: readonly string[], field: string): FieldError[] =>
  stages.flatMap((stage, index) =>
    (auditStages as readonly string[]).includes(stage)
      ? []
      : [invalidError(`${field}[${index}]`, stage, `allowed stages are ${auditStages.join(',')}`)],
  );
