import type { RuleWriter } from '../rule-writer.ts';
import { nftablesRuleset } from './ruleset.ts';
import type { RulesetOptions } from './ruleset.ts';

/** Prints the rule set instead of loading it; the same one is printed once. */
export function dryWriter(print: (text: string) => void, options: RulesetOptions): RuleWriter {
  let printed: string | undefined;
  return {
    async write(rules) {
      const checks = rules.healthChecks.map(
        ({ service, port, localEndpoints }) =>
          `# health check of ${service} on port ${port}: ${localEndpoints} local endpoints\n`,
      );
      const text = checks.join('') + nftablesRuleset(rules, options);
      if (text === printed) return;
      printed = text;
      print(text);
    },
  };
}
