/** Reports findings as SARIF 2.1.0, which code hosts show next to the lines. */
import type { Finding } from './finding.ts';
import { manifestTitle } from './manifest.ts';
import type { Report } from './report.ts';

export function reportSarif({ findings }: Report): string {
  const names = [...new Set(findings.map(({ rule }) => rule))].sort();
  const run = {
    tool: {
      driver: {
        name: 'coxswain validate',
        rules: names.map((id) => ({ id, shortDescription: { text: wordsOf(id) } })),
      },
    },
    results: findings.map((finding) => resultOf(finding, names)),
  };
  const log = {
    $schema: 'https://json.schemastore.org/sarif-2.1.0.json',
    version: '2.1.0',
    runs: [run],
  };
  return `${JSON.stringify(log, undefined, 2)}\n`;
}

const resultOf = (
  { rule, severity, message, source, line, manifest }: Finding,
  names: readonly string[],
) => ({
  ruleId: rule,
  ruleIndex: names.indexOf(rule),
  level: severity,
  message: { text: manifest === undefined ? message : `${manifestTitle(manifest)}: ${message}` },
  locations: [
    {
      physicalLocation: {
        artifactLocation: { uri: encodeURI(source.name.replaceAll('\\', '/')) },
        ...(line !== undefined && { region: { startLine: line } }),
      },
      ...(source.template !== undefined && { logicalLocations: [{ fullyQualifiedName: source.template }] }),
    },
  ],
});

/** `FieldValueRequired` → `Field value required` */
const wordsOf = (id: string): string =>
  id.replace(/([a-z])([A-Z])/g, (_, before: string, after: string) => `${before} ${after.toLowerCase()}`);
