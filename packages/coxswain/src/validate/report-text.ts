/** Reports findings for people, and for editors that recognize `file:line:`. */
import { groupVersionDirectories, kindsOf } from '@coxswain/api/group-versions.ts';
import { compareText } from '@coxswain/apimachinery/compare-text.ts';
import { rules, type Finding } from './finding.ts';
import { groupOf, manifestTitle } from './manifest.ts';
import type { Report } from './report.ts';

/** One line per finding, and a summary. */
export function reportText({ manifests, findings, passedOver, sourceCount }: Report): string {
  const invalid = new Set(
    findings.filter(({ severity }) => severity === 'error').map(({ manifest, source }) => manifest ?? source),
  );
  const warnings = findings.filter(({ severity }) => severity === 'warning').length;
  const counts = [
    `${counted(manifests.length, 'object')} in ${counted(sourceCount, 'source')}`,
    `${invalid.size} invalid`,
    ...(warnings === 0 ? [] : [counted(warnings, 'warning')]),
    ...(passedOver.length === 0 ? [] : [`${passedOver.length} of unknown kinds skipped`]),
  ];
  return `${findings.map(findingLine).join('')}${missingLine(findings)}${counts.join(', ')}\n`;
}

/** Kinds of groups that the server does not have; a built-in kind in a wrong version needs no definition. */
function missingLine(findings: readonly Finding[]): string {
  const missing = findings
    .filter(({ rule, manifest }) => rule === rules.unknownKind && manifest !== undefined)
    .map(({ manifest }) => manifest!.object)
    .filter((object) => !builtInGroups.has(groupOf(object)))
    .map(({ apiVersion, kind }) => `${kind} (${apiVersion})`);
  if (missing.length === 0) return '';
  const names = [...new Set(missing)].toSorted(compareText).join(', ');
  return `definitions are missing: ${names}; --with=FILE adds them, --ignore-unknown-kinds skips their objects\n`;
}

const builtInGroups = new Set(
  groupVersionDirectories.flatMap((directory) =>
    kindsOf(directory).map(({ apiVersion }) => groupOf({ apiVersion })),
  ),
);

function findingLine({ source, line, severity, message, manifest }: Finding): string {
  const place = line === undefined ? source.name : `${source.name}:${line}`;
  const template = source.template === undefined ? '' : ` (${source.template})`;
  const title = manifest === undefined ? '' : ` ${manifestTitle(manifest)}:`;
  return `${place}${template}: ${severity}:${title} ${message}\n`;
}

const counted = (count: number, what: string): string => `${count} ${what}${count === 1 ? '' : 's'}`;
