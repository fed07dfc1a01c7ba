/** The selectable fields of a kind, and upstream's errors for all others. */
import { goQuote } from '@coxswain/apimachinery/go-quote.ts';
import type { Kind, MetadataSelectors } from '@coxswain/schema';

/** The field's name in the store. @throws Error with upstream's message */
export function fieldLabelOf(kind: Kind, field: string): string {
  const { selectableFields, metadataSelectors = 'generic' } = kind.behaviour;
  if (selectableFields !== undefined && Object.hasOwn(selectableFields, field)) return field;
  if (field === 'metadata.name' || (field === 'metadata.namespace' && !nameOnly.has(metadataSelectors)))
    return field;
  throw new Error(refusals[metadataSelectors](kind, field));
}

const nameOnly: ReadonlySet<MetadataSelectors> = new Set(['nameOnly', 'gvkNamed']);

const unsupported = (_kind: Kind, field: string) => `field label not supported: ${field}`;

const refusals: Readonly<Record<MetadataSelectors, (kind: Kind, field: string) => string>> = {
  generic: (_kind, field) =>
    `${goQuote(field)} is not a known field selector: only "metadata.name", "metadata.namespace"`,
  listed: unsupported,
  nameOnly: unsupported,
  kindNamed: ({ kind }, field) => `field label ${goQuote(field)} not supported for ${kind}`,
  gvkNamed: ({ apiVersion, kind }, field) =>
    `field label not supported for ${apiVersion}, Kind=${kind}: ${field}`,
};
