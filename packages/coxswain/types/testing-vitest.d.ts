/** `import 'coxswain/testing/vitest'`: adds the matchers to vitest's `expect`, with their types. */
import type { ClusterMatchers } from './testing-matchers.d.ts';

declare module 'vitest' {
  // oxlint-disable-next-line no-explicit-any, no-unused-vars -- as vitest declares it
  interface Matchers<T = any> extends ClusterMatchers {}
}
