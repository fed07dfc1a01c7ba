/** What a run of the original's end-to-end tests came to: told line by line, and kept as data beside what was known before. */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';

interface SpecReport {
  readonly State: string;
  readonly LeafNodeType: string;
  readonly ContainerHierarchyTexts: readonly string[] | null;
  readonly LeafNodeText: string;
  readonly RunTime: number;
  readonly Failure?: { readonly Message: string };
}

export interface Outcome {
  readonly name: string;
  readonly hasPassed: boolean;
  readonly seconds: number;
  /** Of a failure: how it began. */
  readonly why: string;
}

/** What is kept: names of what passed, and of each failure the reason, which a person may have written. */
interface Results {
  readonly passed: readonly string[];
  readonly failed: Readonly<Record<string, string>>;
}

/** @param report what ginkgo wrote, `--json-report` */
export function readOutcomes(report: string): readonly Outcome[] {
  const suites = JSON.parse(readFileSync(report, 'utf8')) as readonly {
    readonly SpecReports: readonly SpecReport[] | null;
  }[];
  return suites
    .flatMap(({ SpecReports }) => SpecReports ?? [])
    .filter(({ State, LeafNodeType }) => LeafNodeType === 'It' && State !== 'skipped' && State !== 'pending')
    .map((spec) => ({
      name: [...(spec.ContainerHierarchyTexts ?? []), spec.LeafNodeText].join(' '),
      hasPassed: spec.State === 'passed',
      seconds: spec.RunTime / 1e9,
      why: `${spec.State}: ${(spec.Failure?.Message ?? '').slice(0, 400).replaceAll(/\s+/g, ' ')}`,
    }));
}

export function tellOutcomes(outcomes: readonly Outcome[]): void {
  for (const { name, hasPassed, seconds, why } of outcomes) {
    console.log(`${hasPassed ? 'passed' : 'FAILED'} ${seconds.toFixed(1)} s  ${name}`);
    if (!hasPassed) console.log(`    ${why}`);
  }
  console.log(`${outcomes.filter(({ hasPassed }) => hasPassed).length} of ${outcomes.length} passed`);
}

/** Those that ran replace what was known of them; a reason that is there already stays. */
export function keepOutcomes(file: string, outcomes: readonly Outcome[]): void {
  const known = existsSync(file)
    ? (JSON.parse(readFileSync(file, 'utf8')) as Results)
    : { passed: [], failed: {} };
  const passed = new Set(known.passed);
  const failed = new Map(Object.entries(known.failed));
  for (const { name, hasPassed, why } of outcomes)
    if (hasPassed) {
      passed.add(name);
      failed.delete(name);
    } else {
      passed.delete(name);
      if (!failed.has(name)) failed.set(name, why);
    }
  const results: Results = {
    passed: [...passed].sort(),
    failed: Object.fromEntries([...failed].sort(([left], [right]) => (left < right ? -1 : 1))),
  };
  writeFileSync(file, `${JSON.stringify(results, undefined, 2)}\n`);
}
