import { bool, bytes, kind, map, ObjectMeta, optional, pointer, string, named } from '@coxswain/schema';
import type { Static } from '@coxswain/schema';
import { nameColumn, column, ageColumn } from '../../meta/columns.ts';
import { validateSecret } from './config-data-validation.ts';
import { secretWarnings } from './secret-warnings.ts';

export const Secret = kind(
  'core/v1.Secret',
  'v1',
  { plural: 'secrets', namespaced: true },
  {
    metadata: optional(1, ObjectMeta, { go: 'ObjectMeta' }),
    immutable: pointer(5, bool),
    data: optional(2, map(bytes)),
    stringData: optional(4, map(string)),
    type: optional(3, named('v1.SecretType', string), { default: 'Opaque' }),
  },
  {
    defaults: [moveStringData],
    validate: validateSecret,
    warnings: secretWarnings,
    columns: [
      nameColumn,
      column('Type', ({ type }) => type ?? ''),
      column('Data', ({ data }) => Object.keys(data ?? {}).length),
      ageColumn,
    ],
    selectableFields: { type: ({ type }) => type ?? '' },
    metadataSelectors: 'listed',
  },
);
export interface Secret extends Static<typeof Secret> {}

/** Text given in the clear becomes data, and is never stored or shown as text. */
function moveStringData(secret: {
  data?: Record<string, string>;
  stringData?: Record<string, string>;
}): void {
  if (secret.stringData === undefined) return;
  const data = { ...secret.data };
  for (const key in secret.stringData) data[key] = base64(secret.stringData[key]!);
  if (Object.keys(data).length > 0) secret.data = data;
  delete secret.stringData;
}

const encoder = new TextEncoder();

function base64(text: string): string {
  let binary = '';
  for (const byte of encoder.encode(text)) binary += String.fromCharCode(byte);
  return btoa(binary);
}
