/** Reports findings for people, and for editors that recognize `file:line:`. */
import type { Finding } from './finding.ts';
import { manifestTitle } from './manifest.ts';
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
  return `${findings.map(findingLine).join('')}${counts.join(', ')}\n`;
}

function findingLine({ source, line, severity, message, manifest }: Finding): string {
  const place = line === undefined ? source.name : `${source.name}:${line}`;
  const template = source.template === undefined ? '' : ` (${source.template})`;
  const title = manifest === undefined ? '' : ` ${manifestTitle(manifest)}:`;
  return `${place}${template}: ${severity}:${title} ${message}\n`;
}

const counted = (count: number, what: string): string => `${count} ${what}${count === 1 ? '' : 's'}`;
