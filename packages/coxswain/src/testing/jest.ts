/** `import 'coxswain/testing/jest'`: adds the matchers to jest's global `expect`, with their types. */

import { matchers } from './matchers/matchers.ts';

interface Extensible {
  extend(added: typeof matchers): void;
}

const { expect } = globalThis as { readonly expect?: Extensible };
if (expect === undefined) {
  throw new Error(
    'coxswain/testing/jest requires the global expect of jest; extend any other one with `matchers`',
  );
}
expect.extend(matchers);
