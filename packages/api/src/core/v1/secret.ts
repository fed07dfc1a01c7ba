import * as t from '@coxswain/schema';
import { nameColumn, column, ageColumn } from '../../meta/columns.ts';
import { validateSecret } from './config-data-validation.ts';
import { secretWarnings } from './secret-warnings.ts';

export const Secret = t.kind(
  'core/v1.Secret',
  'v1',
  { plural: 'secrets', namespaced: true },
  {
    metadata: t.optional(1, t.ObjectMeta, { go: 'ObjectMeta' }),
    immutable: t.pointer(5, t.bool),
    data: t.optional(2, t.map(t.bytes)),
    stringData: t.optional(4, t.map(t.string)),
    type: t.optional(3, t.named('v1.SecretType', t.string), { default: 'Opaque' }),
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
export interface Secret extends t.Static<typeof Secret> {}

/** Plain text is moved into data, and is never stored or returned as text. */
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
