import type { KubeObject } from '@coxswain/apimachinery';
import { lastAppliedAnnotation } from '../apply/last-applied.ts';
import type { DescriptionText } from './text.ts';

/** Longer annotations are shown on separate lines, truncated to this length. */
const annotationLengthMax = 140;

type Pairs = Readonly<Record<string, string>> | null | undefined;

/** `Labels:\ta=b` and the others below it. For a nested object, each part starts with its indentation. */
export function describeLabels(text: DescriptionText, title: string, labels: Pairs, indent = ''): void {
  const lines = Object.keys(labels ?? {})
    .sort()
    .map((key) => `${key}=${labels?.[key]}`);
  if (lines.length === 0) return text.line(0, `${indent}${title}:\t${indent}<none>`);
  lines.forEach((line, index) => {
    text.line(0, `${index === 0 ? `${indent}${title}:` : indent + indent}\t${indent}${line}`);
  });
}

export function describeAnnotations(
  text: DescriptionText,
  title: string,
  annotations: Pairs,
  indent = '',
): void {
  const keys = Object.keys(annotations ?? {})
    .filter((key) => key !== lastAppliedAnnotation)
    .sort();
  if (keys.length === 0) return text.line(0, `${indent}${title}:\t${indent}<none>`);
  keys.forEach((key, index) => {
    const lead = index === 0 ? `${indent}${title}:` : indent;
    const value = (annotations?.[key] ?? '').replace(/\n$/, '');
    if (value.length + key.length + 2 <= annotationLengthMax && !value.includes('\n')) {
      text.line(0, `${lead}\t${indent}${key}: ${value}`);
      return;
    }
    text.line(0, `${lead}\t${indent}${key}:`);
    for (const line of value.split('\n'))
      text.line(0, `${indent}\t  ${shorten(line, annotationLengthMax - 2)}`);
  });
}

const shorten = (text: string, lengthMax: number): string =>
  text.length > lengthMax ? `${text.slice(0, lengthMax)}...` : text;

/** `Deployment/web`: the controller that owns the object. */
export function controllerOf(object: KubeObject): string {
  const owner = object.metadata.ownerReferences?.find(({ controller }) => controller === true);
  return owner === undefined ? '' : `${owner.kind}/${owner.name}`;
}
