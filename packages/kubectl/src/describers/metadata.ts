import type { KubeObject } from '@coxswain/apimachinery';
import { lastAppliedAnnotation } from '../apply/last-applied.ts';
import type { DescriptionText } from './text.ts';

/** Longer annotations are shown on lines of their own, cut to this. */
const annotationLengthMax = 140;

type Pairs = Readonly<Record<string, string>> | null | undefined;

/** `Labels:\ta=b` and the others below it. */
export function describeLabels(text: DescriptionText, title: string, labels: Pairs): void {
  const lines = Object.keys(labels ?? {})
    .sort()
    .map((key) => `${key}=${labels?.[key]}`);
  if (lines.length === 0) return text.line(0, `${title}:\t<none>`);
  lines.forEach((line, index) => text.line(0, `${index === 0 ? `${title}:` : ''}\t${line}`));
}

export function describeAnnotations(text: DescriptionText, title: string, annotations: Pairs): void {
  const keys = Object.keys(annotations ?? {})
    .filter((key) => key !== lastAppliedAnnotation)
    .sort();
  if (keys.length === 0) return text.line(0, `${title}:\t<none>`);
  keys.forEach((key, index) => {
    const lead = index === 0 ? `${title}:` : '';
    const value = (annotations?.[key] ?? '').replace(/\n$/, '');
    if (value.length + key.length + 2 <= annotationLengthMax && !value.includes('\n')) {
      text.line(0, `${lead}\t${key}: ${value}`);
      return;
    }
    text.line(0, `${lead}\t${key}:`);
    for (const line of value.split('\n')) text.line(0, `\t  ${shorten(line, annotationLengthMax - 2)}`);
  });
}

const shorten = (text: string, lengthMax: number): string =>
  text.length > lengthMax ? `${text.slice(0, lengthMax)}...` : text;

/** `Deployment/web`, of the controller that owns the object. */
export function controllerOf(object: KubeObject): string {
  const owner = object.metadata.ownerReferences?.find(({ controller }) => controller === true);
  return owner === undefined ? '' : `${owner.kind}/${owner.name}`;
}
