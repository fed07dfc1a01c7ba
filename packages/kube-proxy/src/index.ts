export { runKubeProxy } from './command.ts';
export { planServices } from './model/plan-services.ts';
export * from './model/service-rule.ts';
export { dryWriter } from './nftables/dry-writer.ts';
export { nftablesRuleset, type RulesetOptions } from './nftables/ruleset.ts';
export type { RuleWriter } from './rule-writer.ts';
export * from './start-kube-proxy.ts';
