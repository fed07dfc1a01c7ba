export { runKubeProxy } from './command.ts';
export { planService } from './model/plan-services.ts';
export * from './model/service-rule.ts';
export { dryWriter } from './nftables/dry-writer.ts';
export { kernelWriter, type KernelWriterOptions } from './nftables/kernel-writer.ts';
export { removeTables } from './nftables/family-table.ts';
export type { TableOptions } from './nftables/table-options.ts';
export type { RuleWriter } from './rule-writer.ts';
export * from './start-kube-proxy.ts';
