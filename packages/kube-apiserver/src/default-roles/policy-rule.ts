/** A concise notation for policy rules: each argument is a list of words. */

export interface PolicyRule {
  readonly verbs: readonly string[];
  readonly apiGroups?: readonly string[];
  readonly resources?: readonly string[];
  readonly resourceNames?: readonly string[];
  readonly nonResourceURLs?: readonly string[];
}

/** A rule that exists if a feature is enabled. */
interface GatedRule {
  readonly gate: string;
  readonly rule: PolicyRule;
}

/** A rule with paths that depend on features: path → feature gate. */
interface GatedPaths {
  readonly rule: PolicyRule;
  readonly gates: Readonly<Record<string, string>>;
}

type TableRule = PolicyRule | GatedRule | GatedPaths;

/** Rules by role name. */
export type RoleTable = Readonly<Record<string, readonly TableRule[]>>;

/** Rules that exist if a feature is enabled. */
export const when = (gate: string, ...rules: readonly PolicyRule[]): readonly GatedRule[] =>
  rules.map((rule) => ({ gate, rule }));

export const rulesWith = (
  rules: readonly TableRule[],
  enabled: (gate: string) => boolean,
): readonly PolicyRule[] =>
  rules.flatMap((one) => {
    if ('gate' in one) return enabled(one.gate) ? [one.rule] : [];
    if (!('gates' in one)) return [one];
    const isThere = (path: string) => one.gates[path] === undefined || enabled(one.gates[path]);
    return [{ ...one.rule, nonResourceURLs: (one.rule.nonResourceURLs ?? []).filter(isThere) }];
  });

/** `groups`: `core` stands for the core group. */
export const allow = (verbs: string, groups: string, resources: string, names?: string): PolicyRule => ({
  verbs: words(verbs),
  apiGroups: words(groups).map((group) => (group === 'core' ? '' : group)),
  resources: words(resources),
  ...(names === undefined ? {} : { resourceNames: words(names) }),
});

export const allowUrls = (verbs: string, urls: string): PolicyRule => ({
  verbs: words(verbs),
  nonResourceURLs: words(urls),
});

export const allowGatedUrls = (
  verbs: string,
  urls: string,
  gates: Readonly<Record<string, string>>,
): GatedPaths => ({ rule: allowUrls(verbs, urls), gates });

const words = (text: string): string[] => text.split(' ');
