/** Reports findings as JUnit XML: a suite for each source, a case for each object. */
import { escaped } from '../program/xml-text.ts';
import type { Finding } from './finding.ts';
import { manifestTitle, type Manifest } from './manifest.ts';
import type { Report } from './report.ts';

interface Case {
  readonly name: string;
  readonly errors: readonly Finding[];
  readonly warnings: readonly Finding[];
  readonly isPassedOver: boolean;
}

export function reportJunit(report: Report): string {
  const suites = [...casesBySource(report)];
  const cases = suites.flatMap(([, its]) => its);
  const body = suites.map(
    ([name, its]) =>
      `  <testsuite name="${escaped(name)}" ${countsOf(its)}>\n${its.map((each) => caseElement(each, name)).join('')}  </testsuite>\n`,
  );
  return `<?xml version="1.0" encoding="UTF-8"?>\n<testsuites name="coxswain validate" ${countsOf(cases)}>\n${body.join('')}</testsuites>\n`;
}

function casesBySource({ manifests, findings, passedOver }: Report): ReadonlyMap<string, readonly Case[]> {
  const suites = new Map<string, Case[]>();
  const add = (source: string, name: string, its: readonly Finding[], isPassedOver = false): void => {
    const cases = suites.get(source) ?? [];
    suites.set(source, cases);
    const errors = its.filter(({ severity }) => severity === 'error');
    cases.push({ name, errors, warnings: its.filter((each) => !errors.includes(each)), isPassedOver });
  };
  const byManifest = Map.groupBy(findings, ({ manifest }) => manifest);
  for (const finding of byManifest.get(undefined) ?? []) {
    add(finding.source.name, `line ${finding.line ?? 1}`, [finding]);
  }
  const ignored = new Set<Manifest>(passedOver);
  const known = new Set(manifests);
  const beside = [...byManifest.keys()].filter(
    (each) => each !== undefined && !known.has(each),
  ) as Manifest[];
  for (const manifest of [...manifests, ...beside]) {
    add(manifest.source.name, manifestTitle(manifest), byManifest.get(manifest) ?? [], ignored.has(manifest));
  }
  return suites;
}

const countsOf = (cases: readonly Case[]): string =>
  `tests="${cases.length}" failures="${cases.filter(({ errors }) => errors.length > 0).length}" skipped="${cases.filter(({ isPassedOver }) => isPassedOver).length}" errors="0"`;

function caseElement({ name, errors, warnings, isPassedOver }: Case, suite: string): string {
  const inside = [
    ...errors.map(
      (finding) =>
        `      <failure type="${escaped(finding.rule)}" message="${escaped(finding.message)}">${escaped(placed(finding))}</failure>\n`,
    ),
    ...(isPassedOver ? ['      <skipped message="unknown kind"/>\n'] : []),
    ...(warnings.length === 0
      ? []
      : [`      <system-out>${escaped(warnings.map(placed).join('\n'))}</system-out>\n`]),
  ];
  const head = `    <testcase classname="${escaped(suite)}" name="${escaped(name)}"`;
  return inside.length === 0 ? `${head}/>\n` : `${head}>\n${inside.join('')}    </testcase>\n`;
}

const placed = ({ source, line, message }: Finding): string =>
  `${source.name}${line === undefined ? '' : `:${line}`}: ${message}`;
