/** Reports results as JUnit XML: a suite for each file, with its cases. */

import { escaped } from '../program/xml-text.ts';
import type { CaseResult } from './run-suite.ts';

/** @param results by file of the suite */
export function reportJunit(results: ReadonlyMap<string, readonly CaseResult[]>): string {
  const suites = [...results].map(
    ([file, cases]) =>
      `  <testsuite name="${escaped(file)}" ${countsOf(cases)}>\n${cases.map((each) => caseElement(each, file)).join('')}  </testsuite>\n`,
  );
  const all = countsOf([...results.values()].flat());
  return `<?xml version="1.0" encoding="UTF-8"?>\n<testsuites name="coxswain policy test" ${all}>\n${suites.join('')}</testsuites>\n`;
}

const countsOf = (cases: readonly CaseResult[]): string =>
  `tests="${cases.length}" failures="${cases.filter(({ problems }) => problems.length > 0).length}" errors="0"`;

function caseElement({ name, problems }: CaseResult, file: string): string {
  const head = `    <testcase classname="${escaped(file)}" name="${escaped(name)}"`;
  if (problems.length === 0) return `${head}/>\n`;
  const failures = problems.map((problem) => `      <failure message="${escaped(problem)}"/>\n`);
  return `${head}>\n${failures.join('')}    </testcase>\n`;
}
