/** The configuration of PodSecurity: its defaults and its exemptions. */
import {
  aggregateFieldErrors,
  aggregateText,
  duplicateError,
  invalidError,
  type FieldError,
} from '@coxswain/apimachinery';
import { checkDnsLabel, checkDnsSubdomain, type NameCheck } from '@coxswain/apimachinery/names.ts';
import { list, optional, string, struct } from '@coxswain/schema';
import { decodeConfiguration } from '@coxswain/apimachinery/configuration/decode-configuration.ts';
import {
  isLevel,
  isVersion,
  levelProblem,
  privileged,
  versionProblem,
  type LevelVersion,
  type PolicyLevels,
} from '../pod-security/policy.ts';

export interface PodSecurityConfiguration {
  readonly defaults: PolicyLevels;
  readonly exemptions: {
    readonly usernames: ReadonlySet<string>;
    readonly namespaces: ReadonlySet<string>;
    readonly runtimeClasses: ReadonlySet<string>;
  };
}

const group = 'pod-security.admission.config.k8s.io';

const form = {
  kinds: ['v1', 'v1beta1', 'v1alpha1'].map((version) => `${group}/${version} PodSecurityConfiguration`),
  type: struct('PodSecurityConfiguration', {
    kind: optional(0, string),
    apiVersion: optional(0, string),
    defaults: optional(
      1,
      struct('PodSecurityDefaults', {
        enforce: optional(1, string),
        'enforce-version': optional(2, string),
        audit: optional(3, string),
        'audit-version': optional(4, string),
        warn: optional(5, string),
        'warn-version': optional(6, string),
      }),
    ),
    exemptions: optional(
      2,
      struct('PodSecurityExemptions', {
        usernames: optional(1, list(string)),
        namespaces: optional(2, list(string)),
        runtimeClasses: optional(3, list(string)),
      }),
    ),
  }),
  isStrict: false,
};

const modes = ['enforce', 'audit', 'warn'] as const;

export const podSecurityDefaults: PodSecurityConfiguration = {
  defaults: { enforce: privileged, audit: privileged, warn: privileged },
  exemptions: { usernames: new Set(), namespaces: new Set(), runtimeClasses: new Set() },
};

/** @throws Error with upstream's message */
export function readPodSecurityConfiguration(text: string | undefined): PodSecurityConfiguration {
  if (text === undefined || text === '') return podSecurityDefaults;
  const { defaults = {}, exemptions = {} } = decodeConfiguration(text, form);
  const stated = (mode: (typeof modes)[number]): LevelVersion => ({
    level: (defaults?.[mode] ?? 'privileged') as LevelVersion['level'],
    version: defaults?.[`${mode}-version`] ?? 'latest',
  });
  const levels: PolicyLevels = { enforce: stated('enforce'), audit: stated('audit'), warn: stated('warn') };
  checkLevels(levels);
  const { usernames, namespaces, runtimeClasses } = exemptions ?? {};
  const errors = [
    ...nameErrors('namespaces', namespaces ?? [], checkDnsLabel),
    ...nameErrors('runtimeClasses', runtimeClasses ?? [], checkDnsSubdomain),
    ...nameErrors('usernames', usernames ?? [], (name) =>
      name === '' ? ['username must not be empty'] : [],
    ),
  ];
  if (errors.length > 0) throw new Error(aggregateFieldErrors(errors));
  return {
    defaults: levels,
    exemptions: {
      usernames: new Set(usernames),
      namespaces: new Set(namespaces),
      runtimeClasses: new Set(runtimeClasses),
    },
  };
}

function checkLevels(levels: PolicyLevels): void {
  const problems = modes.flatMap((mode) => [
    ...(isLevel(levels[mode].level) ? [] : [`${mode}: ${levelProblem}`]),
    ...(isVersion(levels[mode].version) ? [] : [`${mode}-version: ${versionProblem}`]),
  ]);
  if (problems.length > 0) throw new Error(`PodSecurity configuration error: ${aggregateText(problems)}`);
}

function nameErrors(member: string, names: readonly string[], check: NameCheck): FieldError[] {
  const seen = new Set<string>();
  return names.flatMap((name, index) => {
    const path = `exemptions.${member}[${index}]`;
    const problems = check(name);
    if (problems.length > 0) return [invalidError(path, name, problems.join(', '))];
    if (seen.has(name)) return [duplicateError(path, name)];
    seen.add(name);
    return [];
  });
}
