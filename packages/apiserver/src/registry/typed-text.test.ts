import { fieldErrorText, invalidError } from '@coxswain/apimachinery';
import { convertedText } from '@coxswain/apimachinery/field-error.ts';
import * as t from '@coxswain/schema';
import { describe, expect, test } from 'vitest';
import { printingTypedText } from './typed-text.ts';

const Port = t.struct('core/v1.Port', {
  name: t.optional(1, t.string),
  protocol: t.optional(2, t.named('v1.Protocol', t.string)),
});
const Thing = t.struct('core/v1.Thing', {
  ports: t.optional(1, t.list(Port)),
  limits: t.optional(2, t.named('v1.ResourceList', t.map(t.quantity))),
});

const printed = (field: string, value: unknown): string =>
  printingTypedText(Thing, [invalidError(field, value, 'bad')])
    .map(fieldErrorText)
    .join();

describe('a bad value in an error', () => {
  test('is quoted if its type is plain text', () => {
    expect(printed('ports[0].name', '<\u0001')).toBe('ports[0].name: Invalid value: "<\\x01": bad');
  });

  test('is written as JSON if it has a type of text', () => {
    expect(printed('ports[0].protocol', '<\u0001')).toBe(
      'ports[0].protocol: Invalid value: "\\u003c\\u0001": bad',
    );
  });

  test('is written as JSON if the path leaves out the position, or ends above the member', () => {
    expect(printed('ports.protocol', '<')).toBe('ports.protocol: Invalid value: "\\u003c": bad');
    expect(printed('ports[0]', '<')).toBe('ports[0]: Invalid value: "\\u003c": bad');
  });

  test('is written as JSON if it is the name of a resource', () => {
    expect(printed('limits[a<b]', 'a<b')).toBe('limits[a<b]: Invalid value: "a\\u003cb": bad');
  });

  test('is quoted if upstream converts it to plain text', () => {
    expect(printed('ports[0].protocol', convertedText('<'))).toBe(
      'ports[0].protocol: Invalid value: "<": bad',
    );
  });
});
