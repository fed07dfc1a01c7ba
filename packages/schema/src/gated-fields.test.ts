import { expect, test } from 'vitest';
import { dropGatedFields } from './gated-fields.ts';
import { list, optional, pointer, string, struct } from './type.ts';

const Part = struct('test/v1.Part', {
  name: optional(1, string),
  signal: pointer(2, string, { gate: 'Signals', dropsEmptyParent: true }),
  extra: pointer(3, string, { gate: 'Extras' }),
});
const Whole = struct('test/v1.Whole', { part: pointer(1, Part), parts: optional(2, list(Part)) });

const none = () => false;
const dropped = (value: object, old?: object, enabled: (gate: string) => boolean = none): object => {
  dropGatedFields(Whole, value, old, enabled);
  return value;
};

test('a field whose gate is disabled is dropped wherever it is', () => {
  expect(dropped({ part: { name: 'a', extra: 'x' }, parts: [{ extra: 'y' }] })).toEqual({
    part: { name: 'a' },
    parts: [{}],
  });
});

test('a field whose gate is open stays', () => {
  const value = { part: { extra: 'x' } };
  expect(dropped(value, undefined, (gate) => gate === 'Extras')).toEqual({ part: { extra: 'x' } });
});

test('an object stored with the feature can be written with it, in other places too', () => {
  const old = { parts: [{ extra: 'y' }] };
  expect(dropped({ part: { extra: 'x', signal: 's' } }, old)).toEqual({ part: { extra: 'x' } });
});

test('a parent that is left empty goes along where the field says so', () => {
  expect(dropped({ part: { signal: 's' } })).toEqual({});
  expect(dropped({ part: { signal: 's', name: 'a' } })).toEqual({ part: { name: 'a' } });
});

test('what is checked elsewhere stays', () => {
  const Template = struct('test/v1.Template', { part: pointer(1, Part, { keepsGated: true }) });
  const value = { part: { extra: 'x' } };

  dropGatedFields(Template, value, undefined, none);

  expect(value).toEqual({ part: { extra: 'x' } });
});
