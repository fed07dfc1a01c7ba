/** Warns about formats in a schema that are not validated. */

import { goQuote } from '@coxswain/apimachinery';
import { anySchema } from './schema-tree.ts';
import type { ValidationContext } from '@coxswain/schema';
import { formatSince, isKnownStringFormat } from './string-formats.ts';
import type { CustomResourceDefinitionSpec } from './v1/custom-resource-definition-spec.ts';

interface Definition {
  readonly spec: CustomResourceDefinitionSpec;
}

/** For an update, only about new ones. */
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

/** Upstream only warns about other formats, and ignores them in validation. */
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
