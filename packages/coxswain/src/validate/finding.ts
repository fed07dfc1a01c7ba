/** A problem of a manifest: one line of a report. */
import type { Status, StatusCause } from '@coxswain/apimachinery';
import { fieldLine } from './field-line.ts';
import type { Manifest, ManifestSource } from './manifest.ts';

export interface Finding {
  readonly severity: 'error' | 'warning';
  /** A reason of the API (`FieldValueRequired`), or one of those below. */
  readonly rule: string;
  readonly message: string;
  readonly source: ManifestSource;
  /** The line of the field, or of its nearest existing ancestor; undefined for a kustomization. */
  readonly line: number | undefined;
  /** Undefined for text that is not an object. */
  readonly manifest: Manifest | undefined;
}

/** Reasons for which the API has no name. */
export const rules = {
  syntax: 'SyntaxError',
  unknownField: 'UnknownField',
  duplicateField: 'DuplicateField',
  unknownKind: 'UnknownKind',
  warning: 'Warning',
} as const;

/** Sorts by source, then from top to bottom. */
export function inReadingOrder(findings: readonly Finding[]): readonly Finding[] {
  const order = new Map<string, number>();
  for (const { source } of findings) if (!order.has(source.name)) order.set(source.name, order.size);
  const place = ({ source }: Finding): number => order.get(source.name)!;
  return findings.toSorted((a, b) => place(a) - place(b) || (a.line ?? 0) - (b.line ?? 0));
}

interface Problem {
  readonly rule: string;
  readonly message: string;
  readonly field?: string;
}

/** Converts a refusal of the server, with one finding for each of its causes. */
export const findingsOfStatus = (manifest: Manifest, status: Status): readonly Finding[] =>
  problemsOf(status).map((problem) => findingAt(manifest, 'error', problem));

export const warningFinding = (manifest: Manifest, message: string): Finding =>
  findingAt(manifest, 'warning', { rule: rules.warning, message, ...fieldNamedFirst(message) });

export function findingAt(
  manifest: Manifest,
  severity: Finding['severity'],
  { rule, message, field = '' }: Problem,
): Finding {
  const line = manifest.text === '' ? undefined : fieldLine(manifest, field);
  return { severity, rule, message, source: manifest.source, line, manifest };
}

function problemsOf({ message = '', reason = '', details }: Status): readonly Problem[] {
  const causes = (details?.causes ?? []).filter(({ field }) => field !== undefined);
  if (causes.length > 0) return causes.map(problemOfCause);
  const strict = strictErrors(message);
  if (strict.length > 0) return strict;
  const field = /Go struct field \w+\.([\w.]+)/.exec(message)?.[1];
  return [{ rule: reason || 'Unknown', message, ...(field !== undefined && { field }) }];
}

const problemOfCause = ({
  reason = 'FieldValueInvalid',
  message = '',
  field = '',
}: StatusCause): Problem => ({
  rule: reason,
  message: field === '' || field === '<nil>' ? message : `${field}: ${message}`,
  field,
});

/** `strict decoding error: unknown field "spec.a", duplicate field "spec.b"` */
function strictErrors(message: string): readonly Problem[] {
  const [, list] = /strict decoding error: (.*)$/s.exec(message) ?? [];
  const found = list?.matchAll(/(unknown|duplicate) field "([^"]*)"/g) ?? [];
  return [...found].map(([text, sort, field = '']) => ({
    rule: sort === 'unknown' ? rules.unknownField : rules.duplicateField,
    message: text,
    field,
  }));
}

/** Most warnings begin with the field: `spec.template.spec.containers[0].ports[1]: duplicate …`. */
function fieldNamedFirst(message: string): { readonly field?: string } {
  const [, field] = /^([a-z]\w*(?:\.\w+|\[[^\]]*\])*)(?::|,| is )/.exec(message) ?? [];
  return field === undefined ? {} : { field };
}
