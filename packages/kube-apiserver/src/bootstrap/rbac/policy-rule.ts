/** Short ways to write policy rules: each argument is a list of words. */

export interface PolicyRule {
  readonly verbs: readonly string[];
  readonly apiGroups?: readonly string[];
  readonly resources?: readonly string[];
  readonly resourceNames?: readonly string[];
  readonly nonResourceURLs?: readonly string[];
}

/** Rules by the role's name. */
export type RoleTable = Readonly<Record<string, readonly PolicyRule[]>>;

/** `groups`: `core` stands for the group without a name. */
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

const words = (text: string): string[] => text.split(' ');
