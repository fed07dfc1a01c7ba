import { ipFamilies, type PlanChanges } from '../model/service-rule.ts';
import type { RuleWriter } from '../rule-writer.ts';
import { emptyTable } from './kernel-table.ts';
import type { TableOptions } from './table-options.ts';
import { TableState } from './table-state.ts';

/** Prints transactions instead of running them: first the complete table, then changes. */
export function dryWriter(
  print: (text: string) => void,
  options: (family: 'IPv4' | 'IPv6') => TableOptions,
): RuleWriter {
  const tables = ipFamilies.map((family) => new TableState(options(family)));
  let isFirst = true;
  return {
    async write(changes: PlanChanges) {
      for (const table of tables) {
        for (const [key, plan] of changes) table.setService(key, plan?.rules);
        const { text } = isFirst ? table.takeEverything(emptyTable) : table.takeChanges();
        if (text !== '') print(text);
      }
      isFirst = false;
      return undefined;
    },
  };
}
