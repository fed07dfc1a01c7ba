/** The language itself: operators, conversions, strings, time, macros. */

import type { Library } from '../declarations/library.ts';
import { parseType } from '../types/signature.ts';
import { standardConversions } from './standard-conversions.ts';
import { standardMacros } from './standard-macros.ts';
import { standardOperators } from './standard-operators.ts';
import { standardTextFunctions } from './standard-text.ts';
import { standardTimeFunctions } from './standard-time.ts';

export const standardLibrary: Library = {
  functions: [
    ...standardOperators,
    ...standardConversions,
    ...standardTextFunctions,
    ...standardTimeFunctions,
  ],
  macros: standardMacros,
  typeNames: {
    bool: parseType('bool'),
    bytes: parseType('bytes'),
    double: parseType('double'),
    'google.protobuf.Duration': parseType('duration'),
    int: parseType('int'),
    list: parseType('list(A)'),
    map: parseType('map(A, B)'),
    null_type: parseType('null'),
    string: parseType('string'),
    'google.protobuf.Timestamp': parseType('timestamp'),
    type: parseType('type'),
    uint: parseType('uint'),
  },
  regularExpressions: { matches: 1 },
};
