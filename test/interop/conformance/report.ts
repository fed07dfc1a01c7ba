/** What a run of the original's end-to-end tests came to: told line by line, and kept as data. */
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

/** Under which a run was made. */
export interface Circumstances {
  /** `2026-07-01` */
  readonly date: string;
  readonly commit: string;
  /** Its version. */
  readonly containerd: string;
  readonly nodes: number;
  readonly focus: string;
  readonly skip: string;
  readonly labels: string;
}

interface Counts {
  readonly passed: number;
  readonly failed: number;
}

interface Run extends Circumstances {
  readonly counts: Counts;
  readonly bySig: Readonly<Record<string, Counts>>;
  /** Of each failure the reason, which a person may have written. */
  readonly failed: Readonly<Record<string, string>>;
  readonly passed: readonly string[];
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

/** One run as a whole, in place of the one before; the reason of what fails again stays. */
export function keepRun(file: string, circumstances: Circumstances, outcomes: readonly Outcome[]): void {
  const before = existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as Run).failed : {};
  const passed = outcomes.filter(({ hasPassed }) => hasPassed).map(({ name }) => name);
  const failed = outcomes
    .filter(({ hasPassed }) => !hasPassed)
    .map(({ name, why }) => [name, before[name] ?? why] as const)
    .toSorted(byFirst);
  const run: Run = {
    ...circumstances,
    counts: countsOf(outcomes),
    bySig: Object.fromEntries(
      [...Map.groupBy(outcomes, sigOf)].toSorted(byFirst).map(([sig, ofSig]) => [sig, countsOf(ofSig)]),
    ),
    failed: Object.fromEntries(failed),
    passed: passed.toSorted(),
  };
  writeFileSync(file, `${JSON.stringify(run, undefined, 2)}\n`);
}

const byFirst = ([left]: readonly [string, unknown], [right]: readonly [string, unknown]): number =>
  left < right ? -1 : 1;

const sigOf = ({ name }: Outcome): string => /\[(sig-[^\]]+)\]/.exec(name)?.[1] ?? 'none';

function countsOf(outcomes: readonly Outcome[]): Counts {
  const passed = outcomes.filter(({ hasPassed }) => hasPassed).length;
  return { passed, failed: outcomes.length - passed };
}
