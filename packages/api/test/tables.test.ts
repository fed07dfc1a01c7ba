/** The columns and field selectors that upstream serves, by resource. */

import type { Kind } from '@coxswain/schema';
import { expect, test } from 'vitest';
import { groupVersionDirectories, kindsOf } from '../src/index.ts';
import { referenceRows } from './reference-rows.ts';

const kinds = groupVersionDirectories.flatMap(kindsOf);

const isBuiltIn = ({ group, resource }: Readonly<Record<string, string>>): boolean =>
  group !== 'fx.example.com' && !resource!.startsWith('(');

const columnsByResource = Map.groupBy(referenceRows('table-columns').filter(isBuiltIn), resourceOf);
const selectorsByResource = Map.groupBy(referenceRows('field-selectors').filter(isBuiltIn), resourceOf);
const errorsByResource = new Map(
  referenceRows('field-selector-errors')
    .filter(isBuiltIn)
    .map((row) => [resourceOf(row), row['message']!]),
);

test.each([...columnsByResource.keys()])('a table of %s has the columns of the original', (resource) => {
  const columns = columnsOf(kindOf(resource))
    .filter(({ isUndeclared = false }) => !isUndeclared)
    .map(({ name, type, format = '', priority = 0 }) => ({ name, type, format, priority: `${priority}` }));

  expect(columns).toEqual(
    columnsByResource
      .get(resource)!
      .map(({ name, type, format, priority }) => ({ name, type, format, priority })),
  );
});

/** A version without columns of its own uses those of the stored version. */
function columnsOf({ group, kind, behaviour }: Kind): NonNullable<Kind['behaviour']['columns']> {
  const others = kinds.filter((other) => other.group === group && other.kind === kind);
  return behaviour.columns ?? others.flatMap((other) => other.behaviour.columns ?? []);
}

test.each([...selectorsByResource.keys()])('%s can be selected by the fields of the original', (resource) => {
  const { behaviour } = kindOf(resource);
  const form = behaviour.metadataSelectors ?? 'generic';
  const hasNamespace = form !== 'nameOnly' && form !== 'gvkNamed';

  const fields = [
    'metadata.name',
    ...(hasNamespace ? ['metadata.namespace'] : []),
    ...Object.keys(behaviour.selectableFields ?? {}),
  ];

  expect(fields.sort()).toEqual(
    selectorsByResource
      .get(resource)!
      .map(({ fieldSelector }) => fieldSelector!)
      .sort(),
  );
});

test.each([...errorsByResource.keys()])(
  '%s refuses an unknown field selector in the words of the original',
  (resource) => {
    const { behaviour, apiVersion, kind } = kindOf(resource);

    const message = {
      generic: '"no.such" is not a known field selector: only "metadata.name", "metadata.namespace"',
      listed: 'field label not supported: no.such',
      nameOnly: 'field label not supported: no.such',
      kindNamed: `field label "no.such" not supported for ${kind}`,
      gvkNamed: `field label not supported for ${apiVersion}, Kind=${kind}: no.such`,
    }[behaviour.metadataSelectors ?? 'generic'];

    expect(message).toBe(errorsByResource.get(resource));
  },
);

function resourceOf({ group, version, resource }: Readonly<Record<string, string>>): string {
  return `${group === 'core' ? '' : `${group}/`}${version} ${resource}`;
}

function kindOf(resource: string): Kind<unknown, never> {
  const found = kinds.find(({ apiVersion, names }) => `${apiVersion} ${names?.plural}` === resource);
  if (found === undefined) throw new Error(`${resource} is not described`);
  return found;
}
