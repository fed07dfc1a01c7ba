/**
 * All fields of every alpha and beta version. Older versions are derived from their siblings (`structIn`, `kindIn`),
 * so a field added to a sibling is inherited. If that is intended, update the snapshot:
 * `npm test -- -u packages/api/test/older-versions.test.ts`.
 */

import { resolved, type Field, type StructType, type Type } from '@coxswain/schema';
import { groupVersionDirectories, kindsOf } from '@coxswain/api/group-versions.ts';
import { expect, test } from 'vitest';

const structs = new Map<string, StructType>();
const doubles: string[] = [];
for (const directory of groupVersionDirectories.filter((name) => /alpha|beta/.test(name))) {
  for (const { type } of kindsOf(directory)) collect(type);
}

test('older versions have the fields of the snapshot', async () => {
  const texts = [...structs.values()].map(textOf).sort();
  await expect(`${texts.join('\n')}\n`).toMatchFileSnapshot('older-versions.txt');
});

test('each struct is a single value', () => {
  expect(doubles).toEqual([]);
});

function collect(type: Type): void {
  const found = resolved(type);
  if (found.form === 'list') collect(found.element);
  else if (found.form === 'map') collect(found.value);
  else if (found.form === 'scalar' && found.either) collect(found.either.object);
  if (found.form !== 'struct' || structs.get(found.name) === found) return;
  if (!/alpha|beta/.test(found.name)) return;
  if (structs.has(found.name)) doubles.push(found.name);
  structs.set(found.name, found);
  for (const field of Object.values(found.fields)) collect(field.type);
}

function textOf(type: StructType): string {
  const { form: _, name, fields, ...options } = type;
  const members = Object.entries(fields).map(([member, field]) => `  ${member} ${fieldText(field)}`);
  return [`${name}${flags(options)}`, ...members].join('\n');
}

const fieldText = ({ presence, pb, type, ...options }: Field): string =>
  `${pb} ${presence} ${typeText(type)}${flags(options)}`;

function typeText(type: Type): string {
  if (type.form === 'deferred') return typeText(type.resolve());
  if (type.form === 'struct') return type.name;
  if (type.form === 'scalar') {
    const { form: _, scalar, either, ...options } = type;
    return `${scalar}${either ? ` or ${typeText(either.object)} ${either.other}` : ''}${flags(options)}`;
  }
  if (type.form === 'map') {
    const { form: _, value, ...options } = type;
    return `map of ${typeText(value)}${flags(options)}`;
  }
  const { form: _, element, ...options } = type;
  return `list of ${typeText(element)}${flags(options)}`;
}

/** The options that are set, in alphabetical order. */
function flags(options: object): string {
  const said = Object.entries(options)
    .filter(([, value]) => value !== false && !(Array.isArray(value) && value.length === 0))
    .map(([name, value]) => ` ${name}=${JSON.stringify(value)}`);
  return said.sort().join('');
}
