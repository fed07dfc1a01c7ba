/** For policies that change objects: keys as parts of a JSON pointer. */

import type { Library } from '../environment.ts';
import { declareFunction, overload } from '../types/declaration.ts';

export const jsonPatchLibrary: Library = {
  functions: [
    declareFunction('jsonpatch.escapeKey', [
      overload('string_jsonpatch_escapeKey_string', '(string) -> string', (key: string) =>
        key.replaceAll(/[/~]/g, (found) => (found === '/' ? '~1' : '~0')),
      ),
    ]),
  ],
};
