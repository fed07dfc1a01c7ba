import { runStep, systemClock, type Clock, type StepObserver } from '@coxswain/apimachinery';
import { directNft, type RunNft } from '@coxswain/nftables';
import type { ConntrackCleaner } from '../conntrack/conntrack-cleaner.ts';
import { familyOf, type PlanChanges } from '../model/service-rule.ts';
import type { RuleWriter } from '../rule-writer.ts';
import { FamilyTable, type TableEvents } from './family-table.ts';
import type { TableOptions } from './table-options.ts';

export interface KernelWriterOptions {
  /** One for each address family of the machine. */
  readonly tables: readonly TableOptions[];
  readonly run?: RunNft;
  readonly clock?: Clock;
  readonly events?: TableEvents;
  readonly observer?: StepObserver | undefined;
  /** Removes conntrack entries of UDP packets whose endpoint is gone. */
  readonly conntrack?: ConntrackCleaner;
}

/** Loads rules into the kernel, in one transaction per family. */
export function kernelWriter({
  tables,
  run = directNft(),
  clock = systemClock,
  events = {},
  observer,
  conntrack,
}: KernelWriterOptions): RuleWriter {
  const families = tables.map((options) => ({
    family: options.family,
    table: new FamilyTable(options, observedNft(run, observer), clock, events),
  }));
  return {
    setServiceCidrs(cidrs) {
      for (const { family, table } of families)
        table.setServiceCidrs(cidrs.filter((cidr) => familyOf(cidr) === family));
    },
    async write(changes: PlanChanges) {
      const results = await Promise.allSettled(families.map(({ table }) => table.sync(changes)));
      conntrack?.setServices(changes);
      const failed = results.filter((result) => result.status === 'rejected');
      if (failed.length > 0) {
        const errors: unknown[] = failed.map(({ reason }) => reason as unknown);
        throw errors.length === 1 ? errors[0] : new AggregateError(errors, errors.map(String).join('; '));
      }
      await conntrack?.clean();
      const again = results.flatMap((result) =>
        result.status === 'fulfilled' && result.value !== undefined ? [result.value] : [],
      );
      return again.length === 0 ? undefined : Math.min(...again);
    },
  };
}

/** Each transaction is a step; commands that only list are not. */
function observedNft(run: RunNft, observer: StepObserver | undefined): RunNft {
  if (observer === undefined) return run;
  return (args, transaction) =>
    transaction === ''
      ? run(args, transaction)
      : runStep(observer, 'nft', () => run(args, transaction), { transaction });
}
