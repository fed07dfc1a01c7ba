/** `import 'coxswain/testing/vitest'`: `expect` of vitest has the matchers, and the compiler knows. */

import { expect } from 'vitest';
import type {} from '../../types/testing-vitest.d.ts';
import { matchers } from './matchers/matchers.ts';

expect.extend(matchers);
