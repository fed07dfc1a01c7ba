import type { PlanChanges } from './model/service-rule.ts';

/** Puts rules into effect: into the kernel, onto paper, or by carrying the packets itself. */
export interface RuleWriter {
  /**
   * The first call brings all services, later ones those that changed. What a failed call brought counts as
   * brought. Resolves, when the rules are in effect, with the milliseconds after which it wants to be called
   * again even though nothing changes. @throws Error when they are not in effect; it is to be called again
   */
  write(changes: PlanChanges): Promise<number | undefined>;
  /** The ranges that cluster addresses come from. */
  setServiceCidrs?(cidrs: readonly string[]): void;
}
