/** `import 'coxswain/testing/vitest'`: `expect` of vitest has the matchers, and the compiler knows. */
import type { ClusterMatchers } from './testing-matchers.d.ts';

declare module 'vitest' {
  // oxlint-disable-next-line no-explicit-any, no-unused-vars -- as vitest declares it
  interface Matchers<T = any> extends ClusterMatchers {}
}
