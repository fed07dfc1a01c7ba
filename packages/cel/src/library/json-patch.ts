/** For mutating policies: escapes keys for JSON pointers. */

import type { Library } from '../declarations/library.ts';
import { declareFunction, overload } from '../declarations/declaration.ts';

export const jsonPatchLibrary: Library = {
  functions: [
    declareFunction('jsonpatch.escapeKey', [
      overload('string_jsonpatch_escapeKey_string', '(string) -> string', (key: string) =>
        key.replaceAll(/[/~]/g, (found) => (found === '/' ? '~1' : '~0')),
      ),
    ]),
  ],
};
