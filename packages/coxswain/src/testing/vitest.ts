/** `import 'coxswain/testing/vitest'`: adds the matchers to vitest's `expect`, with their types. */

import { expect } from 'vitest';
// Nothing of it but that it is there: it adds the matchers to vitest's types.
// oxlint-disable-next-line import/no-empty-named-blocks, unicorn/require-module-specifiers
import type {} from '../../types/testing-vitest.d.ts';
import { matchers } from './matchers/matchers.ts';

expect.extend(matchers);
