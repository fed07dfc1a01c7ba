/**
 * Orders a subject as Go writes it: only known attributes, in a fixed order, with all values of an attribute together.
 */
import type { JsonName, Name } from '@peculiar/x509';

/** Country, organization, unit, locality, province, street, postal code, common name, serial number. */
const attributes = [
  '2.5.4.6',
  '2.5.4.10',
  '2.5.4.11',
  '2.5.4.7',
  '2.5.4.8',
  '2.5.4.9',
  '2.5.4.17',
  '2.5.4.3',
  '2.5.4.5',
];

/** Attributes with a single value; the last one counts. */
const single: ReadonlySet<string> = new Set(['2.5.4.3', '2.5.4.5']);

export const inGoOrder = (subject: Name): JsonName =>
  attributes.flatMap((oid) => {
    const values = subject.getField(oid);
    if (values.length === 0) return [];
    return [{ [oid]: single.has(oid) ? values.slice(-1) : values.toSorted(byEncoding) }];
  });

/** DER sets are sorted by their encoding, in which the length comes first. */
const byEncoding = (one: string, other: string): number =>
  one.length - other.length || (one < other ? -1 : one > other ? 1 : 0);
