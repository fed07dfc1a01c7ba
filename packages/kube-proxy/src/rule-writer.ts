import type { ProxyRules } from './model/service-rule.ts';

/** Puts rules into effect: into the kernel, or onto paper. Each call brings all rules, not a difference. */
export interface RuleWriter {
  /** Resolves when the rules are in effect. @throws Error when they could not be written; they are tried again */
  write(rules: ProxyRules): Promise<void>;
}
