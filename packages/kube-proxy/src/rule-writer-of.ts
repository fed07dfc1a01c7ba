import type { Clock } from '@coxswain/apimachinery';
import { ConntrackCleaner } from './conntrack/conntrack-cleaner.ts';
import type { IpFamily } from './model/service-rule.ts';
import { dryWriter } from './nftables/dry-writer.ts';
import { kernelWriter } from './nftables/kernel-writer.ts';
import type { RuleWriter } from './rule-writer.ts';
import type { KnownNode, NodeProxyOptions } from './node-proxy-options.ts';
import type { ProxyMetrics } from './serving/proxy-metrics.ts';
import { tableOptionsOf } from './table-options-of.ts';

export interface RuleWriterParts {
  readonly known: KnownNode;
  readonly families: readonly IpFamily[];
  readonly counts: ProxyMetrics;
  readonly clock: Clock;
  readonly report: (error: unknown) => void;
}

/** Where the rules go: to the kernel, to a proxy in user space, or only to `print`. */
export async function ruleWriterOf(
  { print, settings, signal, log, run, observer }: NodeProxyOptions,
  { known, families, counts, clock, report }: RuleWriterParts,
): Promise<RuleWriter> {
  if (print !== undefined) return dryWriter(print, (family) => tableOptionsOf(settings, known, family));
  if (settings.mode === 'userspace') {
    const { userspaceWriter } = await import('./userspace/userspace-writer.ts');
    return userspaceWriter({ signal, log });
  }
  return kernelWriter({
    tables: families.map((family) => tableOptionsOf(settings, known, family)),
    ...(run === undefined ? {} : { run }),
    clock,
    observer,
    events: {
      synced: (family, isFull, seconds) => counts.synced(family, isFull, seconds, clock.now()),
      syncFailed(family, error) {
        counts.syncFailed(family);
        report(error);
      },
      cleanupFailed(family, error) {
        counts.cleanupFailed(family);
        report(error);
      },
    },
    conntrack: new ConntrackCleaner({
      onError: report,
      clock,
      cleaned: (family, flows, seconds) => counts.flowsReconciled(family, flows, seconds),
    }),
  });
}
