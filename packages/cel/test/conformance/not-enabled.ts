/** The parts of the conformance suite that Kubernetes 1.36 does not enable, with reasons. Everything else must pass. */

import type { NamedCase } from './cases.ts';

/** Whole files. */
const files: Readonly<Record<string, string>> = {
  block_ext: 'cel.block is not enabled',
  encoders_ext: 'base64 is not enabled',
  enums: 'enums of protobuf messages do not occur',
  math_ext: 'math is not enabled',
  proto2: 'messages of a user do not occur',
  proto2_ext: 'messages of a user do not occur',
  proto3: 'messages of a user do not occur',
};

const strings = 'the string library is the second version: format is older';
const undeclared = 'the case declares a function that its environment has to bring';
const presence = 'a presence test on what has no fields is no error there';
const duplicates = 'a map literal may repeat a key there';

/** Single cases. */
const cases: Readonly<Record<string, string>> = {
  'fields/qualified_identifier_resolution/map_key_float': 'any value may be a key of a map literal there',
  'fields/qualified_identifier_resolution/map_value_repeat_key': duplicates,
  'fields/qualified_identifier_resolution/map_value_repeat_key_heterogeneous': duplicates,
  'dynamic/any/var': 'messages of a user do not occur',
  'optionals/optionals/map_null_entry_no_such_key': presence,
  'optionals/optionals/map_present_key_invalid_field': presence,
  'string_ext/value_errors/indexof_out_of_range': strings,
  'string_ext/value_errors/lastindexof_out_of_range': strings,
  'string_ext/format/scientific notation formatting clause': strings,
  'string_ext/format/default precision for scientific notation': strings,
  'string_ext/format/positive infinity support for scientific notation': strings,
  'string_ext/format/negative infinity support for scientific notation': strings,
  'string_ext/format/NaN support for scientific notation': strings,
  'string_ext/format/NaN support for decimal': strings,
  'string_ext/format/positive infinity support for decimal': strings,
  'string_ext/format/negative infinity support for decimal': strings,
  'string_ext/format/positive infinity support for fixed-point': strings,
  'string_ext/format/negative infinity support for fixed-point': strings,
  'string_ext/format/list support for string': strings,
  'string_ext/format/map support for string': strings,
  'string_ext/format/map support (all key types)': strings,
  'string_ext/format/dyntype support for scientific notation': strings,
  'string_ext/format/dyntype NaN/infinity support': strings,
  'string_ext/format/dyntype support for lists': strings,
  'string_ext/format/dyntype support for maps': strings,
  'string_ext/format/scientific notation formatting clause in a string variable': strings,
  'timestamps/duration_converters/get_milliseconds': 'the milliseconds of a duration are all of them there',
  'type_deductions/functions/function_result_type': undeclared,
  'type_deductions/legacy_nullable_types/null_assignable_to_abstract_parameter_candidate':
    'there the list is one of null',
};

/** The reason, or undefined if the case must pass. */
export function whyNotEnabled({ path, test }: NamedCase): string | undefined {
  const file = files[path.split('/')[0]!];
  if (file !== undefined) return file;
  if (cases[path] !== undefined) return cases[path];
  if (test.disableCheck) return 'every expression is checked there';
  if (/TestAllTypes|NestedTestAllTypes|cel\.expr\.conformance/.test(JSON.stringify(test))) {
    return 'messages of a user do not occur';
  }
  return /\btuple\(|\bf_unknown\(/.test(test.expr) ? undeclared : undefined;
}

/** Names in the tables that no case of the suite has. */
export const excludedNames: readonly string[] = Object.keys(cases);
export const excludedFiles: readonly string[] = Object.keys(files);
