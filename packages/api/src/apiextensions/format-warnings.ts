/** Formats that a schema names and nothing checks. */

import { goQuote } from '@coxswain/apimachinery';
import { anySchema } from './schema-tree.ts';
import type { ValidationContext } from '@coxswain/schema';
import { formatSince, isKnownStringFormat } from './string-formats.ts';
import type { CustomResourceDefinitionSpec } from './v1/custom-resource-definition-spec.ts';

interface Definition {
  readonly spec: CustomResourceDefinitionSpec;
}

/** Of an update, only what it brings in. */
export function formatWarnings(
  definition: Definition,
  old: Definition | undefined,
  { minCompatibility }: Pick<ValidationContext, 'minCompatibility'>,
): string[] {
  const known = new Set(old && unknownFormats(old, minCompatibility));
  return unknownFormats(definition, minCompatibility)
    .filter((format) => !known.has(format))
    .map((format) => `unrecognized format ${goQuote(format)}`);
}

function unknownFormats({ spec }: Definition, minor: number): string[] {
  const found: string[] = [];
  for (const { schema } of spec.versions ?? []) {
    anySchema(schema?.openAPIV3Schema, (each) => {
      const { format } = each;
      if (format && !(isKnownFormat(each) && formatSince(format) <= minor)) found.push(format);
      return false;
    });
  }
  return [...new Set(found)];
}

/** Of other formats the original only warns, and validates as if they were not there. */
export function isKnownFormat({
  type = '',
  format = '',
}: {
  readonly type?: string;
  readonly format?: string;
}): boolean {
  if (type === 'integer') return format === 'int32' || format === 'int64';
  if (type === 'number') return format === 'float' || format === 'double';
  return (type === '' || type === 'string') && isKnownStringFormat(format.replaceAll('-', ''));
}
